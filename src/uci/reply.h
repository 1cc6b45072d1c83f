/* reply.h - what an engine says to a GUI: UCI output lines as values, read and written.
 *
 * Our engine's listener writes these lines; the driver of foreign engines reads them. Views point into the line that was read
 * (or whatever the writer was given) and must not outlive it; moves are text and are not looked into.
 * Reading is strict about shapes: a field that is not exactly what the protocol says is left out and reported, and a line
 * that starts with no word of the protocol (banners, debug prints) is OTHER. Any bytes are safe to read.
 * Hot: uci_write_info, a few hundred lines a second at most.
 * Threads: [any]; nothing here blocks or keeps state.
 */
#ifndef UCI_REPLY_H
#define UCI_REPLY_H

#include "uci/option.h"

/* The numbers of `info`; bit n of UciInfo.has tells that number n is there. None is ever negative. */
typedef enum {
    UCI_INFO_DEPTH,
    UCI_INFO_SELDEPTH,
    UCI_INFO_MULTIPV,
    UCI_INFO_NODES,
    UCI_INFO_NPS,
    UCI_INFO_HASHFULL,
    UCI_INFO_TBHITS,
    UCI_INFO_TIME,
    UCI_INFO_CPULOAD,
    UCI_INFO_CURRMOVENUMBER,
    UCI_INFO_NUMBERS,
} UciInfoNumber;

typedef enum { UCI_SCORE_NONE, UCI_SCORE_CP, UCI_SCORE_MATE } UciScoreKind;
typedef enum { UCI_BOUND_EXACT, UCI_BOUND_LOWER, UCI_BOUND_UPPER } UciBound;

/* From the side to move: centipawns, or moves (not plies) to mate, negative when being mated. */
typedef struct {
    UciScoreKind kind;
    UciBound     bound;
    int64_t      value;
} UciScore;

/* All zero is an info line that says nothing. A view that is empty is not written. */
typedef struct {
    uint32_t has;
    int64_t  depth, seldepth, multipv, nodes, nps;
    int64_t  hashfull; /* permille */
    int64_t  tbhits;
    int64_t  time_ms;
    int64_t  cpuload; /* permille */
    int64_t  currmovenumber;
    UciScore score;
    bool     has_wdl;
    int64_t  wdl[3]; /* chances of win, draw and loss in permille */
    Str      pv;     /* moves separated by space */
    Str      currmove;
    Str      refutation; /* a move and the line that refutes it */
    Str      currline;   /* [cpu number] moves */
    Str      string;     /* free text, the rest of its line */
} UciInfo;

typedef struct {
    Str move;   /* "(none)", "0000" and "NULL" occur: see uci_move_is_none */
    Str ponder; /* empty when there is none */
} UciBestmove;

typedef enum {
    UCI_REPLY_EMPTY,
    UCI_REPLY_OTHER,
    UCI_REPLY_ID_NAME,
    UCI_REPLY_ID_AUTHOR,
    UCI_REPLY_OPTION,
    UCI_REPLY_UCIOK,
    UCI_REPLY_READYOK,
    UCI_REPLY_INFO,
    UCI_REPLY_BESTMOVE,
    UCI_REPLY_COPYPROTECTION,
    UCI_REPLY_REGISTRATION,
} UciReplyKind;

typedef struct {
    UciReplyKind kind;
    bool         broken; /* an essential part is missing or wrong: do not rely on the rest */
    union {
        Str          text; /* OTHER: the line; ID_*: the name; COPYPROTECTION, REGISTRATION: checking, ok or error */
        UciOptionDef option;
        UciInfo      info;
        UciBestmove  bestmove;
    };
} UciReply;

/* Reads one line, with or without its line end. `*out` is always a value. True when the whole line was understood; false
 * when something was left out, and then `err` (may be NULL) has the first such thing. OTHER is understood. */
bool uci_parse_reply(Str line, UciReply *out, Err *err);

/* Each appends one line with its '\n'. */
void uci_write_reply(Buf *out, const UciReply *reply);
void uci_write_id(Buf *out, Str name, Str author); /* two lines */
void uci_write_uciok(Buf *out);
void uci_write_readyok(Buf *out);
void uci_write_info(Buf *out, const UciInfo *info);
void uci_write_info_string(Buf *out, Str text);
void uci_write_bestmove(Buf *out, Str move, Str ponder); /* no move: "0000"; no ponder move: left out */

/* Do engines mean "no move" by this text? */
bool uci_move_is_none(Str move);

static inline bool uci_info_has(const UciInfo *info, UciInfoNumber number) { return (info->has >> number & 1) != 0; }

#endif
