/* deepen.c - rungs 9 and 10: search depth one, then two, then three...
 *
 * It sounds like waste, but a tree one ply deeper is several times larger, and each iteration leaves its best moves in the table
 * for the next to try first: the sum is smaller than one search with a bad order. The value of an iteration also tells where
 * the next one's will be: aspiration begins with a narrow window around it, and when the value falls outside
 * searches again with that side open.
 */
#include "base/clock.h"
#include "lab/rung.h"

/* The value at the root, by as many searches as the window needs. */
static int aspire(LabSearch *s, const LabNode *root, int expected, bool has_expected)
{
    int alpha = -THESIS_MATE, beta = THESIS_MATE;
    if (s->use.aspiration && has_expected) {
        alpha = expected - s->use.aspiration > alpha ? expected - s->use.aspiration : alpha;
        beta  = expected + s->use.aspiration < beta ? expected + s->use.aspiration : beta;
    }
    for (;;) {
        int value = lab_improved(s, root, 0, alpha, beta);
        if (value <= alpha && alpha > -THESIS_MATE) {
            alpha = -THESIS_MATE;
        } else if (value >= beta && beta < THESIS_MATE) {
            beta = THESIS_MATE;
        } else {
            return value;
        }
        s->counted.aspiration_fails++;
    }
}

void lab_deepen(LabSearch *s, const LabNode *root, LabResult *out)
{
    int value = 0, last = s->depth;
    for (int depth = s->use.deepening ? 1 : last; depth <= last; depth++) {
        int64_t start = clock_now_ns();
        s->depth      = depth;
        value         = aspire(s, root, value, depth > 1);
        lab_note_iteration(out, s, value, clock_seconds_since(start));
    }
    out->value = value;
}
