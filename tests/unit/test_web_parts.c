/* test_web_parts.c - the parts of the server that need no network: who may ask, whose a request is, what answers look like. */
#include <jansson.h>

#include "support/testing.h"
#include "web/assets.h"
#include "web/forms.h"
#include "web/hub.h"
#include "web/request.h"

/* ---- who may ask ---- */

static bool host_is_right(const Guard *guard, const char *host) { return guard_host_is_right(guard, str_from(host)); }

static void only_the_exact_host_is_right(void **state)
{
    (void)state;
    Guard       guard   = {.port = 8064};
    const char *right[] = {"127.0.0.1:8064", "localhost:8064", "LOCALHOST:8064", "[::1]:8064"};
    const char *wrong[] = {"",
                           "127.0.0.1",
                           "127.0.0.1:80",
                           "127.0.0.1:8065",
                           "127.0.0.1:08064x",
                           "evil:8064",
                           "127.0.0.1:8064:8064",
                           "[::1]",
                           "[::1",
                           "[::1]8064",
                           "localhost.:8064",
                           "127.0.0.1:",
                           ":8064",
                           "127.0.0.1:-8064",
                           "127.1:8064",
                           "127.0.0.1:+8064",
                           "192.168.1.2:8064"};
    for (size_t i = 0; i < COUNT_OF(right); i++) assert_true(host_is_right(&guard, right[i]));
    for (size_t i = 0; i < COUNT_OF(wrong); i++) assert_false(host_is_right(&guard, wrong[i]));
}

static void port_80_needs_no_number(void **state)
{
    (void)state;
    Guard guard = {.port = 80};
    assert_true(host_is_right(&guard, "localhost"));
    assert_true(host_is_right(&guard, "[::1]"));
}

static void all_addresses_means_addresses_and_no_names(void **state)
{
    (void)state;
    Guard guard = {.port = 8064, .any_address = true, .host = "0.0.0.0"};
    assert_true(host_is_right(&guard, "192.168.1.2:8064"));
    assert_true(host_is_right(&guard, "[fe80::1]:8064"));
    assert_false(host_is_right(&guard, "rebound.example:8064"));
}

static void the_origin_is_the_page_of_that_host(void **state)
{
    (void)state;
    Guard guard = {.port = 8064};
    Str   host  = STR("localhost:8064");
    assert_true(guard_origin_is_right(&guard, host, STR("http://localhost:8064")));
    assert_false(guard_origin_is_right(&guard, host, STR("http://127.0.0.1:8064")));
    assert_false(guard_origin_is_right(&guard, host, STR("https://localhost:8064")));
    assert_false(guard_origin_is_right(&guard, host, STR("")));
    assert_false(guard_origin_is_right(&guard, host, STR("null")));
    assert_false(guard_origin_is_right(&guard, STR("evil:8064"), STR("http://evil:8064")));
}

static void a_token_is_whole_or_wrong(void **state)
{
    (void)state;
    Guard none = {.port = 1}, guard = {.port = 1, .token = "0123456789abcdef0123456789abcdef"};
    assert_true(guard_token_is_right(&none, STR("")));
    assert_true(guard_token_is_right(&guard, STR("0123456789abcdef0123456789abcdef")));
    assert_false(guard_token_is_right(&guard, STR("0123456789abcdef0123456789abcdee")));
    assert_false(guard_token_is_right(&guard, STR("0123456789abcdef0123456789abcdef0")));
    assert_false(guard_token_is_right(&guard, STR("0")));
    assert_false(guard_token_is_right(&guard, STR("")));
    assert_str_equal(guard_cookie(STR("a=b; tabia=xyz; c=d")), "xyz");
    assert_str_equal(guard_cookie(STR("nottabia=xyz")), "");
    assert_str_equal(guard_bearer(STR("Bearer  xyz ")), "xyz");
    assert_str_equal(guard_bearer(STR("Basic xyz")), "");
}

/* ---- which request is whose ---- */

static void routes_fit_whole_paths_only(void **state)
{
    (void)state;
    char id[ID_SIZE];
    bool known;
    assert_ptr_equal(route_find(STR("GET"), STR("/api/games/0a1b2c3d/look"), id, &known)->handle, api_look);
    assert_string_equal(id, "0a1b2c3d");
    assert_ptr_equal(route_find(STR("POST"), STR("/api/games/import"), id, &known)->handle, api_import);
    assert_null(route_find(STR("GET"), STR("/api/games/0a1b2c3d/look/"), id, &known));
    assert_false(known);
    assert_null(route_find(STR("GET"), STR("/api/games/0a1b2c3/look"), id, &known));
    assert_null(route_find(STR("PUT"), STR("/api/about"), id, &known));
    assert_true(known);
    Asset asset;
    assert_false(asset_find(STR("/../server.c"), &asset));
    assert_true(asset_find(STR("/app.js"), &asset));
}

/* ---- what answers look like ---- */

static json_t *look_at(const char *fen, GameEnd end)
{
    Hub        hub = {0};
    Buf        out = {0};
    JsonWriter w;
    Position   pos = position_of(fen);
    json_init(&w, &out);
    json_begin_object(&w, NULL);
    form_look(&w, &hub, &pos, MOVE_NONE, end);
    json_end_object(&w);
    json_t *look = json_loadb(out.data, out.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(look);
    buf_release(&out);
    return look;
}

static bool list_has(const json_t *list, const char *text)
{
    size_t  i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (strcmp(json_string_value(item), text) == 0) return true;
    }
    return false;
}

static void a_look_lists_castling_both_ways_and_promotions_once(void **state)
{
    (void)state;
    json_t *look  = look_at("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", END_NONE);
    json_t *dests = json_object_get(look, "dests");
    json_t *king  = json_object_get(dests, "e1");
    assert_true(list_has(king, "g1") && list_has(king, "h1") && list_has(king, "c1") && list_has(king, "a1"));
    assert_int_equal(json_array_size(json_object_get(dests, "b7")), 2);
    assert_int_equal(json_array_size(json_object_get(look, "promotions")), 2);
    assert_true(json_is_null(json_object_get(look, "end")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(look, "material"), "white")), 11);
    json_decref(look);
}

static void a_look_at_mate_has_no_moves_and_a_result(void **state)
{
    (void)state;
    json_t *look = look_at("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", END_CHECKMATE);
    assert_int_equal(json_array_size(json_object_get(look, "moves")), 0);
    assert_int_equal(json_object_size(json_object_get(look, "dests")), 0);
    assert_string_equal(json_string_value(json_object_get(look, "end")), "checkmate");
    assert_string_equal(json_string_value(json_object_get(look, "result")), "1-0");
    json_decref(look);
}

static void scores_are_turned_to_white_s_side(void **state)
{
    (void)state;
    assert_int_equal(eval_from_score(34, BLACK).value, -34);
    TreeEval mate = eval_from_score(score_mate_in(5), BLACK);
    assert_true(mate.is_mate);
    assert_int_equal(mate.value, -3);
    assert_int_equal(eval_from_score(score_mated_in(4), WHITE).value, -2);
}

static void a_message_is_one_event(void **state)
{
    (void)state;
    Message *message = message_new("info", STR("{\"a\":1}"), 7);
    assert_str_equal((Str){message->text, message->len}, "id: 7\nevent: info\ndata: {\"a\":1}\n\n");
    message_drop(message);
    Channel channel = {0};
    channel_send(&channel, "info", STR("{}")); /* nobody listens: nothing is kept */
    assert_int_equal(channel.end, 0);
}

static Message *whole_game(void *context)
{
    (void)context;
    return message_new("game", STR("{}"), 0);
}

/* What a client reads up to and including the event of that name. */
static int count_until(Client *client, const char *name)
{
    char piece[256];
    char wanted[32];
    snprintf(wanted, sizeof wanted, "event: %s", name);
    for (int count = 1;; count++) {
        ptrdiff_t got = client_read(client, piece, sizeof piece - 1, whole_game, NULL);
        assert_true(got > 0);
        piece[got] = '\0';
        if (strstr(piece, wanted)) return count;
    }
}

/* Hundreds of iterations of a mate may end before a client reads the first: the end of the search must be heard all the same. */
static void who_is_too_slow_still_hears_the_end(void **state)
{
    (void)state;
    Channel channel = {0};
    Client  client  = {0};
    channel_add(&channel, &client);
    assert_int_equal(count_until(&client, "game"), 1);
    for (int i = 0; i < 3 * RING_MESSAGES; i++) channel_send(&channel, "iteration", STR("{}"));
    channel_send(&channel, "done", STR("{}"));
    assert_int_equal(count_until(&client, "game"), 1);
    assert_int_equal(count_until(&client, "done"), LAST_MESSAGES);

    char *large = calloc(1, RING_BYTES - 1000); /* a game that leaves room for little else */
    assert_non_null(large);
    memset(large, 'x', RING_BYTES - 1001);
    for (int i = 0; i < 20; i++) channel_send(&channel, "iteration", STR("{}"));
    channel_send(&channel, "progress", str_from(large));
    channel_send(&channel, "progress", str_from(large));
    channel_send(&channel, "done", STR("{}"));
    free(large);
    assert_int_equal(count_until(&client, "game"), 1);
    count_until(&client, "done");
    channel_remove(&client);
    assert_int_equal(channel.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_exact_host_is_right),
        cmocka_unit_test(port_80_needs_no_number),
        cmocka_unit_test(all_addresses_means_addresses_and_no_names),
        cmocka_unit_test(the_origin_is_the_page_of_that_host),
        cmocka_unit_test(a_token_is_whole_or_wrong),
        cmocka_unit_test(routes_fit_whole_paths_only),
        cmocka_unit_test(a_look_lists_castling_both_ways_and_promotions_once),
        cmocka_unit_test(a_look_at_mate_has_no_moves_and_a_result),
        cmocka_unit_test(scores_are_turned_to_white_s_side),
        cmocka_unit_test(a_message_is_one_event),
        cmocka_unit_test(who_is_too_slow_still_hears_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
