/* cmd_lichess.c - `tabia lichess`: the bot, and what surrounds it: checking the set-up, upgrading the account, the example file.
 *
 * Ctrl-C and SIGTERM are taken by a thread that waits for them and tells the bot.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "app/cli.h"
#include "lichess/bot.h"
#include "lichess/check.h"

typedef struct {
    const char *token_file, *url, *config_file;
    bool        yes;
} Arguments;

static void print_line(void *context, const char *line)
{
    char      stamp[24];
    struct tm now;
    time_t    seconds = time(NULL);
    (void)context;
    localtime_r(&seconds, &now);
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &now);
    fprintf(stderr, "%s %s\n", stamp, line);
}

/* The configuration with what the command line changes of it. Says what is wrong; returns the exit code, or -1 to go on. */
static int load_config(const Arguments *arguments, Config *config)
{
    Err err;
    Str url = str_from(arguments->url);
    if (!config_load(arguments->config_file, config, &err)) return cli_fail("%s", err.text);
    while (url.len > 0 && url.ptr[url.len - 1] == '/') url.len--;
    if (arguments->url && !config_check_url(url, &err)) {
        config_release(config);
        return cli_fail("--url %s: %s", arguments->url, err.text);
    }
    if (arguments->url) config->url = url;
    return -1;
}

/* ---- the bot ---- */

typedef struct {
    Bot        *bot;
    sigset_t    signals;
    atomic_bool over;
} Watch;

static void *watch_signals(void *argument)
{
    Watch *watch = argument;
    int    number;
    while (sigwait(&watch->signals, &number) == 0) {
        if (watch->over) break;
        bot_interrupt(watch->bot);
    }
    return NULL;
}

static bool run_watched(Bot *bot, Err *err)
{
    Watch     watch = {.bot = bot};
    pthread_t thread;
    sigemptyset(&watch.signals);
    sigaddset(&watch.signals, SIGINT);
    sigaddset(&watch.signals, SIGTERM);
    if (pthread_create(&thread, NULL, watch_signals, &watch) != 0) return err_set(err, ERR_MEMORY, 0, "no thread can be started");
    bool ok    = bot_run(bot, err);
    watch.over = true;
    pthread_kill(thread, SIGINT); /* wakes it; `over` tells it that this one is from us */
    pthread_join(thread, NULL);
    return ok;
}

static int play(const Config *config, const Token *token)
{
    Err  err;
    Bot *bot = bot_new(config, token, print_line, NULL, &err);
    if (!bot) return cli_fail("%s", err.text);
    bool ok = run_watched(bot, &err);
    bot_free(bot);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

/* ---- the other commands ---- */

static void show_check(void *context, const char *what, bool good, const char *sentence)
{
    (void)context;
    printf("%-8s %-5s %s\n", what, good ? "ok" : "WRONG", sentence);
    fflush(stdout);
}

static int check(const Config *config, const Token *token, const char *token_error)
{
    const Check it = {.config = config, .token = token, .token_error = token_error, .tell = show_check};
    show_check(NULL, "config", true, "every line is understood");
    return check_run(&it) ? EXIT_DONE : EXIT_FAILED;
}

static int upgrade(const Config *config, const Token *token, bool yes)
{
    Err  err;
    bool already;
    if (!yes)
        return cli_fail(
            "this makes the account a bot's for good: it can never play as a person again. Say --yes if that is wanted");
    if (!check_upgrade(config, token, &already, &err)) return cli_fail("%s", err.text);
    printf("%s\n", already ? "The account is a bot's already." : "The account is a bot's now.");
    return EXIT_DONE;
}

static int print_example(void)
{
    Buf out = {0};
    config_write_example(&out);
    printf("%s", out.failed ? "" : out.data);
    buf_release(&out);
    return EXIT_DONE;
}

static int run(const CommandSpec *spec, const Arguments *arguments, const char *word)
{
    Config config;
    Token  token;
    Err    err;
    bool   is_check = word && strcmp(word, "check") == 0, is_upgrade = word && strcmp(word, "upgrade") == 0;
    if (word && strcmp(word, "config") == 0) return print_example();
    if (word && !is_check && !is_upgrade) return cli_usage(spec, "'%s' is none of check, upgrade and config", word);
    int code = load_config(arguments, &config);
    if (code >= 0) return code;
    bool have = token_load(&token, arguments->token_file, &err);
    if (is_check) {
        code = check(&config, have ? &token : NULL, err.text);
    } else if (!have) {
        code = cli_fail("%s", err.text);
    } else {
        code = is_upgrade ? upgrade(&config, &token, arguments->yes) : play(&config, &token);
    }
    token_wipe(&token);
    config_release(&config);
    return code;
}

int cmd_lichess(int argc, char **argv)
{
    Arguments    arguments = {0};
    const Option options[] = {
        {"token-file", OPTION_TEXT, "FILE", "the token, in a file that only its owner may read (else: " TOKEN_VARIABLE ")",
         &arguments.token_file, 0, 0},
        {"config", OPTION_TEXT, "FILE", "what the bot may do; `tabia lichess config` prints one with every key explained",
         &arguments.config_file, 0, 0},
        {"url", OPTION_TEXT, "URL", "the server, instead of the file's", &arguments.url, 0, 0},
        {"yes", OPTION_FLAG, NULL, "for upgrade: really", &arguments.yes, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lichess [check|upgrade|config] --token-file FILE [options]",
        .summary = "Plays as a bot on lichess. check: tries the set-up without playing. upgrade: makes the account a bot's. "
                   "config: prints the example file.",
        .example = "tabia lichess --token-file ~/.config/tabia/token --config lichess.conf",
        .options = options,
        .positional_max = 1,
    };
    const char *words[1];
    int         count, code = cli_parse(&spec, argc, argv, words, &count);
    if (code >= 0) return code;
    cli_hold_interrupts(); /* before any thread is started: all of them inherit it */
    signal(SIGPIPE, SIG_IGN);
    return run(&spec, &arguments, count ? words[0] : NULL);
}
