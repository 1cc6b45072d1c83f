/* cli.c - see cli.h. */
#include "app/cli.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_help(const CommandSpec *spec)
{
    printf("Usage: %s\n\n%s\n", spec->usage, spec->summary);
    if (spec->options && spec->options->name) printf("\nOptions:\n");
    for (const Option *o = spec->options; o && o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value_name ? " " : "", o->value_name ? o->value_name : "");
        printf("  %-22s %s\n", left, o->help);
    }
    printf("  %-22s %s\n", "--help", "this text");
    if (spec->example) printf("\nExample:\n  %s\n", spec->example);
}

int cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("tabia: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return EXIT_FAILED;
}

int cli_usage(const CommandSpec *spec, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("tabia: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nUsage: %s\n", spec->usage);
    return EXIT_USAGE;
}

static const Option *find_option(const CommandSpec *spec, Str name)
{
    for (const Option *o = spec->options; o && o->name; o++) {
        if (str_equal(str_from(o->name), name)) return o;
    }
    return NULL;
}

static bool store_number(const Option *o, Str value)
{
    if (o->kind == OPTION_INT) return str_to_int(value, (int)o->low, (int)o->high, o->target);
    uint64_t number;
    if (!str_to_u64(value, &number) || number < (uint64_t)o->low || number > (uint64_t)o->high) return false;
    *(uint64_t *)o->target = number;
    return true;
}

/* Gives the option its value; returns -1, or the exit code after a message. */
static int store(const CommandSpec *spec, const Option *o, const char *value)
{
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)o->target = true; return -1;
    case OPTION_INT:
    case OPTION_U64:
        if (store_number(o, str_from(value))) return -1;
        return cli_usage(spec, "--%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'", o->name, o->low, o->high, value);
    case OPTION_DOUBLE:
        if (str_to_double(str_from(value), o->target)) return -1;
        return cli_usage(spec, "--%s takes a number, not '%s'", o->name, value);
    case OPTION_TEXT: *(const char **)o->target = value; return -1;
    case OPTION_TEXTS: {
        TextList *list = o->target;
        if (list->count == OPTION_TEXTS_MAX)
            return cli_usage(spec, "--%s is given more than %d times", o->name, OPTION_TEXTS_MAX);
        list->items[list->count++] = value;
        return -1;
    }
    }
    return -1;
}

/* Handles the option at argv[*index]; moves *index over a separate value. */
static int parse_option(const CommandSpec *spec, int argc, char **argv, int *index)
{
    Str word = str_skip(str_from(argv[*index]), 2);
    Str rest = word;
    Str name = str_next_until(&rest, '=');
    if (str_equal(name, STR("help"))) {
        print_help(spec);
        return EXIT_DONE;
    }
    const Option *o = find_option(spec, name);
    if (!o) return cli_usage(spec, "unknown option --%.*s", STR_ARGS(name));
    bool attached = name.len < word.len;
    if (o->kind == OPTION_FLAG) return attached ? cli_usage(spec, "--%s takes no value", o->name) : store(spec, o, NULL);
    if (attached) return store(spec, o, rest.ptr);
    if (*index + 1 >= argc) return cli_usage(spec, "--%s needs a value (%s)", o->name, o->value_name);
    return store(spec, o, argv[++*index]);
}

int cli_parse(const CommandSpec *spec, int argc, char **argv, const char **positionals, int *positional_count)
{
    bool options = true;
    int  count   = 0;
    for (int i = 1; i < argc; i++) {
        Str word = str_from(argv[i]);
        if (options && str_equal(word, STR("--"))) {
            options = false;
        } else if (options && str_equal(word, STR("-h"))) {
            print_help(spec);
            return EXIT_DONE;
        } else if (options && str_starts_with(word, STR("--"))) {
            int code = parse_option(spec, argc, argv, &i);
            if (code >= 0) return code;
        } else if (options && word.len > 1 && word.ptr[0] == '-' && !char_is_digit(word.ptr[1])) {
            return cli_usage(spec, "unknown option %s (options begin with two dashes)", argv[i]);
        } else if (count == spec->positional_max) {
            return cli_usage(spec, "'%s' is one word too many", argv[i]);
        } else {
            positionals[count++] = argv[i];
        }
    }
    if (count < spec->positional_min) return cli_usage(spec, "something is missing");
    *positional_count = count;
    return -1;
}

int cli_parse_files(const CommandSpec *spec, int argc, char **argv, const char ***files, int *count)
{
    CommandSpec with_files    = *spec;
    with_files.positional_min = 1;
    with_files.positional_max = argc;
    *files                    = calloc((size_t)argc, sizeof **files);
    if (!*files) return cli_fail("no memory");
    int code = cli_parse(&with_files, argc, argv, *files, count);
    if (code >= 0) {
        free(*files);
        *files = NULL;
    }
    return code;
}

/* ---- commands of commands ---- */

bool cli_asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

void cli_list(const Command *commands, FILE *stream)
{
    for (const Command *c = commands; c->name; c++) fprintf(stream, "  %-10s %s\n", c->name, c->summary);
}

static void print_group(const CommandGroup *group, FILE *stream)
{
    fprintf(stream, "Usage: %s\n\n", group->usage);
    cli_list(group->commands, stream);
    fprintf(stream, "\n`tabia %s COMMAND --help` tells more.\n\nExample:\n  %s\n", group->name, group->example);
}

int cli_choose(const CommandGroup *group, int argc, char **argv)
{
    for (const Command *c = group->commands; argc > 1 && c->name; c++) {
        if (strcmp(argv[1], c->name) == 0) return c->run(argc - 1, argv + 1);
    }
    bool help = argc > 1 && cli_asks_for_help(argv[1]);
    if (argc < 2) fprintf(stderr, "tabia: %s needs a command\n\n", group->name);
    if (argc > 1 && !help) fprintf(stderr, "tabia: there is no command '%s %s'\n\n", group->name, argv[1]);
    print_group(group, help ? stdout : stderr);
    return help ? EXIT_DONE : EXIT_USAGE;
}

/* ---- interrupts ---- */

void cli_hold_interrupts(void)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, NULL);
}

bool cli_interrupted(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}
