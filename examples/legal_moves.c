/* legal_moves.c - a first program with libtabia: prints the legal moves of a position.
 *
 *   make libtabia.a && cc examples/legal_moves.c -Isrc libtabia.a -lpthread -lm -o legal_moves
 *   ./legal_moves "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"
 */
#include <stdio.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

int main(int argc, char **argv)
{
    Position pos;
    Err      err;
    position_set_start(&pos);
    if (argc > 1 && !position_from_fen(str_from(argv[1]), &pos, NULL, &err)) {
        fprintf(stderr, "%s (at character %zu)\n", err.text, err.offset + 1);
        return 1;
    }
    MoveList list;
    movegen_legal(&pos, &list);
    for (int i = 0; i < list.count; i++) {
        char san[SAN_SIZE];
        move_to_san(&pos, list.moves[i], san);
        printf("%s%s", i ? " " : "", san);
    }
    printf("\n%d legal moves%s\n", list.count, position_in_check(&pos) ? ", in check" : "");
    return 0;
}
