/* random_engine.c - a whole UCI engine in a page: plays random moves, at once. Shows how libtabia is used.
 *
 *   make libtabia.a && cc -std=c17 -Isrc examples/random_engine.c libtabia.a -lm -pthread -o random_engine
 *
 * scripts/bench-arena measures with it what the arena itself costs, since it takes no time of its own.
 */
#include <stdio.h>

#include "base/lines.h"
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "uci/command.h"
#include "uci/reply.h"

/* "position startpos moves e2e4 ...": the position there; a move that is not legal ends the list. */
static void set_position(const UciPosition *command, Position *pos)
{
    Str moves = command->moves;
    position_set_start(pos);
    if (!command->startpos) position_from_fen(command->fen, pos, NULL, NULL);
    for (Str text = str_next_token(&moves); text.len; text = str_next_token(&moves)) {
        Move     move;
        Position next;
        if (!move_from_uci(pos, text, &move, NULL)) return;
        position_play(pos, move, &next);
        *pos = next;
    }
}

static void write_random_move(Buf *out, const Position *pos, Rng *rng)
{
    MoveList list;
    char     text[UCI_MOVE_SIZE] = "";
    movegen_legal(pos, &list);
    if (list.count) move_to_uci(pos, list.moves[rng_below(rng, (uint64_t)list.count)], text);
    uci_write_bestmove(out, str_from(text), STR(""));
}

int main(void)
{
    LineReader lines;
    Position   pos;
    Str        line;
    Buf        out = {0};
    Rng        rng = rng_seeded(1);
    lines_init(&lines, 0);
    position_set_start(&pos);
    while (lines_next(&lines, &line, NULL) == LINE_READ) {
        UciCommand command;
        uci_parse_command(line, &command, NULL);
        if (command.kind == UCI_CMD_QUIT) break;
        if (command.kind == UCI_CMD_UCI) {
            uci_write_id(&out, STR("Random"), STR("the Tabia authors"));
            uci_write_uciok(&out);
        }
        if (command.kind == UCI_CMD_ISREADY) uci_write_readyok(&out);
        if (command.kind == UCI_CMD_POSITION) set_position(&command.position, &pos);
        if (command.kind == UCI_CMD_GO) write_random_move(&out, &pos, &rng);
        fwrite(buf_str(&out).ptr, 1, out.len, stdout);
        fflush(stdout);
        buf_reset(&out);
    }
    lines_release(&lines);
    buf_release(&out);
    return 0;
}
