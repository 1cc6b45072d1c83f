# Makefile - builds, tests and installs Tabia. `make help` lists the targets.
#
# `make` needs a C17 compiler, GNU Make and libc, nothing else. Every configuration (release, lib, test, asan, ...) has its
# own folder under build/, named after configuration, compiler and ARCH, so that switching between them rebuilds nothing.
# CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS are yours: they are added after the flags below and never replace them.

EXE       ?= tabia
ARCH      ?= native
CONFIG    ?= release
HOSTCC    ?= cc
PREFIX    ?= /usr/local
PYTHON    ?= python3
PGO_RUN   ?= bench
PLAY_COMMAND ?= ./$(EXE) web --open
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# --- The compiler and the processor ----------------------------------------------------------------------------------
IS_CLANG    := $(findstring clang,$(shell $(CC) --version 2>/dev/null))
HOST_IS_X86 := $(filter x86_64 i%86,$(shell uname -m))

MARCH_native    := $(if $(HOST_IS_X86),-march=native,-mcpu=native)
MARCH_x86-64    := -march=x86-64
MARCH_x86-64-v3 := -march=x86-64-v3
MARCH_aarch64   := -march=armv8-a
MARCH_armv7     := -march=armv7-a+simd -mfloat-abi=hard
MARCH           := $(MARCH_$(ARCH))
$(if $(MARCH),,$(error ARCH=$(ARCH) is unknown: choose native, x86-64, x86-64-v3, aarch64 or armv7))

# PEXT is worth having where it is one instruction; on Zen 1, Zen 2 and Excavator it is slow microcode.
# The library never uses it: its headers hold inline code that must mean the same to whoever includes them, whatever the flags.
CPU_MACROS := $(shell $(CC) $(MARCH) -dM -E -x c /dev/null 2>/dev/null)
FAST_PEXT  := $(if $(filter __BMI2__,$(CPU_MACROS)),$(if $(filter __znver1__ __znver2__ __bdver4__,$(CPU_MACROS)),0,1),0)
PEXT       ?= $(if $(filter lib,$(CONFIG)),0,$(FAST_PEXT))

# --- Flags -----------------------------------------------------------------------------------------------------------
HAVE_LLD := $(shell command -v ld.lld 2>/dev/null)
LTO      := $(if $(IS_CLANG),$(if $(HAVE_LLD),-flto),-flto=auto)
LTO_LINK := $(if $(IS_CLANG),$(if $(HAVE_LLD),-fuse-ld=lld))
WARNINGS := -Wall -Wextra -Wshadow -Wconversion

# $(call folder,CONFIG,COMPILER): where the objects of a configuration live.
folder = build/$(1)-$(notdir $(lastword $(2)))-$(ARCH)$(if $(filter $(PEXT),$(FAST_PEXT)),,-pext$(PEXT))$(if $(TUNE),-tune)
BUILD := $(call folder,$(CONFIG),$(CC))

PGO_GENERATE   := $(if $(IS_CLANG),-fprofile-generate=$(BUILD)/raw,-fprofile-generate) -fprofile-update=atomic
PGO_USE        := $(if $(IS_CLANG),-fprofile-use=$(BUILD)/profdata,-fprofile-use -fprofile-partial-training -Wno-missing-profile)

FLAGS_release  := -O3 -DNDEBUG $(LTO)
FLAGS_lib      := -O3 -DNDEBUG -fPIC
FLAGS_test     := -O2 -g
FLAGS_debug    := -O0 -g3 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_asan     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan     := -O1 -g -fsanitize=thread
FLAGS_coverage := -O0 -g --coverage
FLAGS_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_pgo      := -O3 -DNDEBUG $(if $(PGO_STEP),$(PGO_$(PGO_STEP)))
ifeq ($(PGO_STEP),USE)
FLAGS_pgo      += $(LTO)
endif
CONFIG_FLAGS   := $(FLAGS_$(CONFIG))
$(if $(CONFIG_FLAGS),,$(error CONFIG=$(CONFIG) is unknown))

OWN_CPPFLAGS := -Isrc -D_POSIX_C_SOURCE=200809L -DTABIA_ARCH='"$(ARCH)"' $(if $(filter 1,$(PEXT)),-DTABIA_PEXT)
# The network that the program carries: EVALFILE=path, else the one in data/; without any the classical evaluation plays.
NETWORK      := $(or $(abspath $(EVALFILE)),$(firstword $(wildcard data/*.net)))
OWN_CPPFLAGS += $(if $(NETWORK),-DTABIA_NETWORK='"$(NETWORK)"')
OWN_CPPFLAGS += $(if $(TUNE),-DTABIA_TUNE)
OWN_CFLAGS   := -std=c17 $(WARNINGS) $(MARCH) -pthread $(CONFIG_FLAGS)
OWN_LDFLAGS  := $(MARCH) -pthread $(CONFIG_FLAGS) $(if $(findstring -flto,$(CONFIG_FLAGS)),$(LTO_LINK))
OWN_LDLIBS   := -lm
COMPILE       = $(CC) $(OWN_CPPFLAGS) $(CPPFLAGS) $(OWN_CFLAGS) $(CFLAGS)
LINK          = $(CC) $(OWN_LDFLAGS) $(CFLAGS) $(LDFLAGS)

# --- Sources ---------------------------------------------------------------------------------------------------------
SRCS := $(sort $(wildcard src/*/*.c))

# A cross compiler asks the pkg-config of its own machine, where there is one: this machine's libraries would not fit.
machine     = $(firstword $(subst -, ,$(shell $(1) -dumpmachine 2>/dev/null)))
PKG_CONFIG ?= $(if $(filter $(call machine,$(HOSTCC)),$(call machine,$(CC))),,$(shell $(CC) -dumpmachine)-)pkg-config

# $(eval $(call part,LAYER,MODULES)): a layer that is built where pkg-config knows the modules, and left out elsewhere.
define part
ifeq ($$(shell $(PKG_CONFIG) --exists $(2) 2>/dev/null && echo yes),yes)
OWN_CPPFLAGS += -DTABIA_WITH_$(1) $$(shell $(PKG_CONFIG) --cflags $(2))
OWN_LDLIBS   += $$(shell $(PKG_CONFIG) --libs $(2))
else
SRCS := $$(filter-out src/$(1)/% src/app/cmd_$(1).c,$$(SRCS))
endif
endef
# Layers that need more than libc are named here, one $(eval $(call part,...)) each.
$(eval $(call part,web,libmicrohttpd jansson))
$(eval $(call part,lichess,libcurl jansson))

LIB_SRCS  := $(filter-out src/app/%,$(SRCS))
GENERATED := $(patsubst tools/gen_%.c,%,$(sort $(wildcard tools/gen_*.c)))
EMBEDDED  := $(filter $(addsuffix %,$(sort $(dir $(SRCS)))),$(sort $(wildcard src/*/*.S)))
LIB_OBJS  := $(LIB_SRCS:%.c=$(BUILD)/%.o) $(EMBEDDED:%.S=$(BUILD)/%.o) $(GENERATED:%=$(BUILD)/%.o)
APP_OBJS  := $(patsubst %.c,$(BUILD)/%.o,$(filter src/app/%,$(SRCS)))
SUPPORT   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
NO_UNITS  := $(if $(filter src/web/%,$(SRCS)),,tests/unit/test_web_%.c)
UNITS     := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(filter-out $(NO_UNITS),$(sort $(wildcard tests/unit/test_*.c))))
SLOW      := $(sort $(wildcard tests/slow/test_*.py))
SCRIPTS   := $(sort $(wildcard tests/cli/test_*.py tests/tools/test_*.py))
BROWSER   := $(sort $(wildcard tests/browser/*.test.mjs))
FUZZERS   := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
HEADERS   := $(filter-out src/app/%,$(wildcard src/*/*.h))

# The program of this configuration: ./tabia, ./tabia-debug, or one inside the build folder for the tests.
PROGRAM_release := $(EXE)
PROGRAM_pgo     := $(EXE)
PROGRAM_debug   := $(EXE)-debug
PROGRAM         := $(or $(PROGRAM_$(CONFIG)),$(BUILD)/tabia)

Q   := $(if $(V),,@)
# $(call put,FILE,NAME): gives a finished file its public name, all at once and only when it differs.
put  = cmp -s $(1) $(2) || { cp $(1) $(2).tmp && mv $(2).tmp $(2); }

.PHONY: all libtabia.a debug pgo test browser check lint format ladder check-slow coverage fuzz fuzz-replay cross-check play install clean help
.PHONY: FORCE page program archive units run-tests fuzzers replay

all: program ## build ./tabia (EXE=name, CC=gcc|clang, ARCH=native|x86-64|x86-64-v3|aarch64|armv7)
program: $(BUILD)/tabia
	@$(if $(filter $<,$(PROGRAM)),:,$(call put,$<,$(PROGRAM)))

# The flags of the last build: when they change, everything of that configuration is stale.
FLAGS_NOW := $(COMPILE) $(LINK) $(LDLIBS)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' > $@

$(BUILD)/tabia: $(APP_OBJS) $(if $(findstring -flto,$(CONFIG_FLAGS)),$(LIB_OBJS),$(BUILD)/libtabia.a)
	@echo "  LINK $@"
	$(Q)$(LINK) $^ $(OWN_LDLIBS) $(LDLIBS) -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $<"
	$(Q)$(COMPILE) -MMD -MP -c $< -o $@

# Data files that become part of the program.
$(EMBEDDED:%.S=$(BUILD)/%.o): $(BUILD)/%.o: %.S $(wildcard data/*) $(NETWORK) $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CPPFLAGS) -c $< -o $@

# The page (web/), gzipped, for the layers that embed it. It needs Node and npm, which may be missing or without a network: then
# the files are empty, the program says so, and `make page` tries again.
PAGE      := index.html app.js app.css favicon.svg
PAGE_SRCS := $(wildcard web/package*.json web/*.mjs web/src/* web/src/*/*)
$(BUILD)/src/web/page.o: build/web/page
build/web/page: $(PAGE_SRCS)
	@mkdir -p $(@D)
	@scripts/build-page $(@D) $(PAGE)
	@touch $@
page: ## build the page of `tabia web` (Node and npm) so that the next `make` embeds it
	@rm -f build/web/page
	@$(MAKE) build/web/page

# Constant tables: tools/gen_NAME.c runs on the building machine and writes NAME.c.
$(GENERATED:%=$(BUILD)/gen_%): $(BUILD)/gen_%: tools/gen_%.c src/chess/keys.c src/chess/keys.h src/chess/types.h src/base/rng.h $(BUILD)/flags
	@echo "  GEN  $(BUILD)/$*.c"
	$(Q)$(HOSTCC) -std=c17 -O2 -Isrc $(if $(filter 1,$(PEXT)),-DTABIA_PEXT) $< src/chess/keys.c -o $@

$(GENERATED:%=$(BUILD)/%.c): $(BUILD)/%.c: $(BUILD)/gen_%
	@$< > $@.tmp && mv $@.tmp $@

$(GENERATED:%=$(BUILD)/%.o): $(BUILD)/%.o: $(BUILD)/%.c
	$(Q)$(COMPILE) -MMD -MP -c $< -o $@

-include $(shell [ -d $(BUILD) ] && find $(BUILD) -name '*.d')

# --- Other builds ----------------------------------------------------------------------------------------------------
libtabia.a: ## build the library: everything but the commands
	@$(MAKE) CONFIG=lib archive
archive: $(BUILD)/libtabia.a
	@$(call put,$<,libtabia.a)
$(BUILD)/libtabia.a: $(LIB_OBJS)
	@echo "  AR   $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

debug: ## build ./tabia-debug: -O0, assertions, address and undefined-behaviour sanitizers
	@$(MAKE) CONFIG=debug program

LLVM_PROFDATA ?= llvm-profdata
PGO_BUILD     := $(call folder,pgo,$(CC))
pgo: ## build ./tabia guided by a profile of itself at work
	rm -rf $(PGO_BUILD)
	@$(MAKE) CONFIG=pgo PGO_STEP=GENERATE program
	./$(EXE) $(PGO_RUN) > /dev/null
	$(if $(IS_CLANG),$(LLVM_PROFDATA) merge -o $(PGO_BUILD)/profdata $(PGO_BUILD)/raw)
	@$(MAKE) CONFIG=pgo PGO_STEP=USE program

# --- Tests -----------------------------------------------------------------------------------------------------------
export TABIA_SHARED ?= $(if $(wildcard ../shared),$(abspath ../shared))

$(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(SUPPORT) $(BUILD)/libtabia.a
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(LINK) $^ $(OWN_LDLIBS) $(LDLIBS) -lcmocka -o $@
$(BUILD)/tests/%.o: OWN_CPPFLAGS += -I. -Itests
.SECONDARY:

units: $(UNITS)
replay: $(FUZZERS:%=%-replay)
TEST_PROGRAM = $(if $(filter test,$(CONFIG)),$(EXE),$(PROGRAM))

run-tests: units libtabia.a $(if $(filter test,$(CONFIG)),,program)
	@$(if $(filter test,$(CONFIG)),$(MAKE) CONFIG=release program)
	@TABIA=$(abspath $(TEST_PROGRAM)) TABIA_LIB=$(abspath libtabia.a) CC='$(CC)' $(PYTHON) tests/run.py --name $(CONFIG) $(UNITS) $(SCRIPTS)

test: ## unit, perft and command-line tests (CONFIG=asan or tsan for sanitizers)
	@$(MAKE) CONFIG=$(if $(filter release,$(CONFIG)),test,$(CONFIG)) run-tests

browser: program ## play, analyse and break the page of `tabia web` in a real Chromium
	@TABIA=$(abspath $(PROGRAM)) $(PYTHON) tests/run.py --name browser --timeout 1800 --jobs 1 $(BROWSER)

check: ## everything: set-up, lint, tests plain and under sanitizers, clang, fuzz corpus
	scripts/setup check
	@$(PYTHON) tests/check.py

check-slow: program ## what takes minutes: every table of the thesis, exactly
	@TABIA=$(abspath $(PROGRAM)) $(PYTHON) tests/run.py --name slow --timeout 3600 --jobs 1 $(SLOW)

ladder: program ## measure the ladder on this machine: docs/ladder.md with its tables and plots
	./$(PROGRAM) lab ladder --threads $(or $(LADDER_THREADS),2) --report docs

lint: export LINT_SRCS = $(SRCS)
lint: export LINT_CPPFLAGS = $(filter-out -DTABIA_PEXT,$(OWN_CPPFLAGS))
lint: ## architecture rules, format, static analysis
	@$(PYTHON) tools/lint.py

format: ## rewrite the sources in the house style
	clang-format -i $(wildcard src/*/*.[ch] tools/*.c tests/*/*.[ch] examples/*.c)

coverage: ## run the tests and report which lines they reach (gcovr)
	@$(MAKE) CONFIG=coverage run-tests
	gcovr --root . --filter src/ $(call folder,coverage,$(CC))

$(BUILD)/fuzz/%-replay: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay_main.o $(BUILD)/libtabia.a
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(LINK) $^ $(OWN_LDLIBS) $(LDLIBS) -o $@
$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/libtabia.a
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(LINK) -fsanitize=fuzzer $^ $(OWN_LDLIBS) $(LDLIBS) -o $@

fuzzers: $(FUZZERS)
FUZZ_CC := $(if $(IS_CLANG),$(CC),clang)
fuzz: ## fuzz every reader with libFuzzer, FUZZ_SECONDS=60 each
	@$(MAKE) CC='$(FUZZ_CC)' CONFIG=fuzz fuzzers
	@$(PYTHON) tests/fuzz/run.py --seconds $(FUZZ_SECONDS) $(FUZZERS:$(BUILD)/%=$(call folder,fuzz,$(FUZZ_CC))/%)

cross-check: ## build for aarch64, armv7 and the oldest x86-64, and compare them with this machine under qemu
	@scripts/cross-check

fuzz-replay: ## run the fuzz targets once over their kept inputs, under sanitizers
	@$(MAKE) CONFIG=asan replay
	@$(PYTHON) tests/run.py --name fuzz-replay $(FUZZERS:$(BUILD)/%=$(call folder,asan,$(CC))/%-replay)

# --- Use -------------------------------------------------------------------------------------------------------------
play: ## build what there is to play with, and start it
	scripts/setup play
	@$(MAKE) program
	$(PLAY_COMMAND)

install: program libtabia.a ## install program, library and headers under PREFIX (DESTDIR is honoured)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(BUILD)/tabia $(DESTDIR)$(PREFIX)/bin/$(notdir $(EXE))
	install -m 644 libtabia.a $(DESTDIR)$(PREFIX)/lib/libtabia.a
	for h in $(HEADERS:src/%=%); do install -D -m 644 src/$$h $(DESTDIR)$(PREFIX)/include/tabia/$$h || exit 1; done

clean: ## remove everything that was built
	rm -rf build $(EXE) $(EXE)-debug libtabia.a

help: ## this list
	@awk -F':.*## ' '/^[a-z.-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
