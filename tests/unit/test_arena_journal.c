/* test_arena_journal.c - the journal of a tournament: what a kill can leave behind, and what must never be believed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/journal.h"
#include "support/testing.h"

static char state_path[PATH_SIZE], pgn_path[PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    snprintf(state_path, sizeof state_path, "/tmp/tabia-test-%ld.state", (long)getpid());
    snprintf(pgn_path, sizeof pgn_path, "/tmp/tabia-test-%ld.pgn", (long)getpid());
    remove(state_path);
    remove(pgn_path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove(state_path);
    remove(pgn_path);
    return 0;
}

static JournalConfig config_of(bool resume) { return (JournalConfig){state_path, pgn_path, "a | b", resume, false}; }

typedef struct {
    int      count;
    uint64_t ids[16];
} Seen;

static bool note_game(void *context, const JournalGame *game)
{
    Seen *seen               = context;
    seen->ids[seen->count++] = game->id;
    return true;
}

static bool open_journal(Journal *journal, bool resume, Seen *seen, Err *err)
{
    JournalConfig config = config_of(resume);
    *seen                = (Seen){0};
    return journal_open(journal, &config, note_game, seen, err);
}

/* Two games of 6 bytes each. */
static void write_two_games(void)
{
    Journal journal;
    Seen    seen;
    Err     err = {0};
    if (!open_journal(&journal, false, &seen, &err)) fail_msg("%s", err.text);
    assert_true(journal_add(&journal, &(JournalGame){.id = 4, .result = RESULT_DRAW, .over = OVER_REPETITION, .plies = 9},
                            STR("game4\n"), &err));
    assert_true(journal_add(&journal, &(JournalGame){.id = 2, .result = RESULT_DRAW, .over = OVER_TIME, .plies = 9},
                            STR("game2\n"), &err));
    journal_close(&journal);
}

static void add_bytes(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static long size_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

static void resuming_tells_every_game_and_cuts_the_pgn_back(void **state)
{
    (void)state;
    Journal journal;
    Seen    seen;
    Err     err;
    write_two_games();
    add_bytes(pgn_path, "[Event \"cut sh"); /* killed while writing a game */
    assert_true(open_journal(&journal, true, &seen, &err));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.ids[0], 4);
    assert_int_equal(seen.ids[1], 2);
    journal_close(&journal);
    assert_int_equal(size_of(pgn_path), 12);
}

/* Whatever prefix of the journal a kill leaves: the good lines count, the rest is gone, and the file can be continued. */
static void every_prefix_of_a_journal_can_be_resumed(void **state)
{
    (void)state;
    size_t len;
    write_two_games();
    char *whole = read_file_text(state_path, &len);
    for (size_t cut = 0; cut <= len; cut++) {
        Journal journal;
        Seen    seen;
        Err     err   = {0};
        int     lines = 0;
        tear_down(NULL);
        FILE *file = fopen(state_path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(whole, 1, cut, file), cut);
        fclose(file);
        add_bytes(pgn_path, "game4\ngame2\n");
        for (size_t i = 0; i < cut; i++) lines += whole[i] == '\n';
        if (!open_journal(&journal, true, &seen, &err)) fail_msg("cut at %zu: %s", cut, err.text);
        assert_int_equal(seen.count, lines > 0 ? lines - 1 : 0);
        assert_true(journal_add(&journal, &(JournalGame){.id = 9, .result = RESULT_DRAW}, STR("game9\n"), &err));
        journal_close(&journal);
        assert_true(open_journal(&journal, true, &seen, &err));
        assert_int_equal(seen.ids[seen.count - 1], 9);
        journal_close(&journal);
    }
    free(whole);
}

static void damage_in_the_middle_is_an_error(void **state)
{
    (void)state;
    Journal journal;
    Seen    seen;
    Err     err;
    write_two_games();
    int fd = open(state_path, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "X", 1, 3), 1);
    close(fd);
    assert_false(open_journal(&journal, true, &seen, &err));
    assert_non_null(strstr(err.text, "damaged"));
}

static void another_match_is_not_resumed(void **state)
{
    (void)state;
    Journal       journal;
    Seen          seen = {0};
    Err           err;
    JournalConfig config = config_of(true);
    write_two_games();
    config.setup = "a | c";
    assert_false(journal_open(&journal, &config, note_game, &seen, &err));
    assert_non_null(strstr(err.text, "another match"));
}

static void an_unfinished_match_is_not_overwritten_but_a_finished_one_is(void **state)
{
    (void)state;
    Journal journal;
    Seen    seen;
    Err     err;
    write_two_games();
    assert_false(open_journal(&journal, false, &seen, &err));
    assert_non_null(strstr(err.text, "--resume"));
    assert_true(open_journal(&journal, true, &seen, &err));
    assert_true(journal_finish(&journal, &err));
    journal_close(&journal);
    assert_true(open_journal(&journal, false, &seen, &err));
    assert_int_equal(seen.count, 0);
    assert_true(journal_add(&journal, &(JournalGame){.id = 0, .result = RESULT_DRAW}, STR("game0\n"), &err));
    journal_close(&journal);
    assert_int_equal(size_of(pgn_path), 18); /* the games of the first match are still there */
    add_bytes(pgn_path, "torn");
    assert_true(open_journal(&journal, true, &seen, &err));
    assert_int_equal(seen.count, 1);
    journal_close(&journal);
    assert_int_equal(size_of(pgn_path), 18);
}

static void missing_games_are_noticed(void **state)
{
    (void)state;
    Journal journal;
    Seen    seen;
    Err     err;
    write_two_games();
    assert_int_equal(truncate(pgn_path, 7), 0);
    assert_false(open_journal(&journal, true, &seen, &err));
    assert_non_null(strstr(err.text, "shorter"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(resuming_tells_every_game_and_cuts_the_pgn_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_prefix_of_a_journal_can_be_resumed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_in_the_middle_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_match_is_not_resumed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unfinished_match_is_not_overwritten_but_a_finished_one_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_games_are_noticed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
