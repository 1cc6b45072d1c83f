/* cmd_web.c - `tabia web`: starts the server, says where it is, and waits for Ctrl-C. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "app/cli.h"
#include "web/server.h"

enum { PORT_DEFAULT = 8064, PORT_TRIES = 20 };

/* Shows the page in the user's browser, where there is one; failing to is no failure. */
static void open_browser(const char *url)
{
    pid_t child = fork();
    if (child != 0) return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(EXIT_FAILED);
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(EXIT_FAILED);
}

static void wait_for_interrupt(void)
{
    sigset_t awaited;
    int      got;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGHUP);
    sigwait(&awaited, &got);
}

static void hold_signals(void)
{
    sigset_t held;
    cli_hold_interrupts();
    sigemptyset(&held);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGPIPE);
    sigprocmask(SIG_BLOCK, &held, NULL);
}

static int serve(const WebConfig *config, bool open_page)
{
    Err err;
    hold_signals(); /* before any thread exists: all inherit it */
    WebServer *server = web_server_new(config, &err);
    if (!server) return cli_fail("%s", err.text);
    printf("Tabia's board: %s\n", web_server_url(server));
    if (web_server_notice(server)[0]) printf("%s\n", web_server_notice(server));
    if (!web_has_page()) printf("The page is not part of this program (built without Node); the API is there.\n");
    printf("Games are kept in %s. Ctrl-C ends.\n", config->data);
    fflush(stdout);
    if (open_page) open_browser(web_server_url(server));
    wait_for_interrupt();
    web_server_free(server);
    return EXIT_DONE;
}

int cmd_web(int argc, char **argv)
{
    WebConfig    config    = {0};
    int          port      = -1;
    bool         open_page = false;
    const Option options[] = {
        {"port", OPTION_INT, "N", "listen here; 0: any free port (default: 8064, or the next free one)", &port, 0, 65535},
        {"host", OPTION_TEXT, "ADDRESS", "listen on this address and ask for a token (default: this machine only)", &config.host,
         0, 0},
        {"open", OPTION_FLAG, NULL, "open the page in the browser", &open_page, 0, 0},
        {"data", OPTION_TEXT, "DIR", "keep games here (default: $XDG_DATA_HOME/tabia/games)", &config.data, 0, 0},
        {"tables", OPTION_TEXT, "DIRS", "Syzygy endgame tables, folders separated by ':'", &config.tables, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia web [--port N] [--host ADDRESS] [--open] [--data DIR]",
        .summary = "Shows the board in the browser: play, analyse, look inside. Games are saved as they are played.",
        .example = "tabia web --open",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    Buf folder = {0};
    Err err;
    if (!config.data && !web_default_data(&folder, &err)) return cli_fail("%s", err.text);
    if (!config.data) config.data = folder.data;
    config.port       = port >= 0 ? port : PORT_DEFAULT;
    config.port_tries = port >= 0 ? 0 : PORT_TRIES;
    code              = serve(&config, open_page);
    buf_release(&folder);
    return code;
}
