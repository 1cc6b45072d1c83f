/* reply.c - see reply.h. */
#include "uci/reply.h"

#include "uci/reply_parts.h"

typedef struct {
    const char  *name;
    UciReplyKind kind;
} ReplyName;

/* Replies that are one word, or one word and free text. */
static const ReplyName PLAIN_REPLIES[] = {
    {"uciok", UCI_REPLY_UCIOK},
    {"readyok", UCI_REPLY_READYOK},
    {"copyprotection", UCI_REPLY_COPYPROTECTION},
    {"registration", UCI_REPLY_REGISTRATION},
    {"id name", UCI_REPLY_ID_NAME},
    {"id author", UCI_REPLY_ID_AUTHOR},
};

enum { PLAIN_COUNT = sizeof PLAIN_REPLIES / sizeof PLAIN_REPLIES[0] };

static const ReplyName *plain_by_kind(UciReplyKind kind)
{
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        if (PLAIN_REPLIES[i].kind == kind) return &PLAIN_REPLIES[i];
    }
    return NULL;
}

/* `first` is the first word of the line. */
static const ReplyName *plain_by_name(Str first)
{
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        if (str_equal(first, str_from(PLAIN_REPLIES[i].name))) return &PLAIN_REPLIES[i];
    }
    return NULL;
}

static void parse_id(UciLexer *lex, UciReply *out)
{
    Str what = uci_lex_next(lex);
    if (str_equal(what, STR("author"))) {
        out->kind = UCI_REPLY_ID_AUTHOR;
    } else {
        out->kind   = UCI_REPLY_ID_NAME;
        out->broken = !str_equal(what, STR("name"));
        if (out->broken) uci_lex_fault(lex, ERR_SYNTAX, what, "found where id needs 'name' or 'author'");
    }
    out->text = uci_lex_rest(lex);
}

static void parse_bestmove(UciLexer *lex, UciReply *out)
{
    out->kind     = UCI_REPLY_BESTMOVE;
    out->bestmove = (UciBestmove){.move = uci_lex_next(lex), .ponder = STR("")};
    out->broken   = out->bestmove.move.len == 0;
    if (out->broken) uci_lex_fault(lex, ERR_SYNTAX, lex->rest, "found where bestmove needs a move");
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        if (!str_equal(token, STR("ponder"))) {
            uci_lex_fault(lex, ERR_SYNTAX, token, "follows the best move: ignored");
            continue;
        }
        out->bestmove.ponder = uci_lex_next(lex);
        if (out->bestmove.ponder.len == 0) uci_lex_fault(lex, ERR_SYNTAX, token, "has no move after it: ignored");
    }
}

static void parse_plain(UciLexer *lex, const ReplyName *plain, UciReply *out)
{
    bool takes_text = plain->kind == UCI_REPLY_COPYPROTECTION || plain->kind == UCI_REPLY_REGISTRATION;
    out->kind       = plain->kind;
    out->text       = takes_text ? uci_lex_rest(lex) : STR("");
    Str left        = uci_lex_peek(lex);
    if (left.len) uci_lex_fault(lex, ERR_SYNTAX, left, "follows a reply that is one word: ignored");
}

bool uci_parse_reply(Str line, UciReply *out, Err *err)
{
    UciLexer lex;
    uci_lex_init(&lex, line, err);
    *out                   = (UciReply){.kind = UCI_REPLY_EMPTY};
    Str              first = uci_lex_next(&lex);
    const ReplyName *plain = plain_by_name(first);
    if (first.len == 0) return true;
    if (str_equal(first, STR("info"))) {
        out->kind = UCI_REPLY_INFO;
        uci_info_parse(&lex, &out->info);
    } else if (str_equal(first, STR("bestmove"))) {
        parse_bestmove(&lex, out);
    } else if (str_equal(first, STR("option"))) {
        out->kind   = UCI_REPLY_OPTION;
        out->broken = !uci_option_parse(&lex, &out->option);
    } else if (str_equal(first, STR("id"))) {
        parse_id(&lex, out);
    } else if (plain) {
        parse_plain(&lex, plain, out);
    } else {
        out->kind = UCI_REPLY_OTHER;
        out->text = str_trim(line);
    }
    return lex.clean;
}

static void write_plain(Buf *out, UciReplyKind kind, Str text)
{
    const ReplyName *plain = plain_by_kind(kind);
    if (plain) buf_append(out, str_from(plain->name));
    if (plain && text.len) buf_append_char(out, ' ');
    uci_append_text(out, text);
    buf_append_char(out, '\n');
}

void uci_write_reply(Buf *out, const UciReply *reply)
{
    switch (reply->kind) {
    case UCI_REPLY_INFO: uci_write_info(out, &reply->info); break;
    case UCI_REPLY_OPTION: uci_write_option(out, &reply->option); break;
    case UCI_REPLY_BESTMOVE: uci_write_bestmove(out, reply->bestmove.move, reply->bestmove.ponder); break;
    case UCI_REPLY_EMPTY:
    case UCI_REPLY_UCIOK:
    case UCI_REPLY_READYOK: write_plain(out, reply->kind, STR("")); break;
    case UCI_REPLY_OTHER:
    case UCI_REPLY_ID_NAME:
    case UCI_REPLY_ID_AUTHOR:
    case UCI_REPLY_COPYPROTECTION:
    case UCI_REPLY_REGISTRATION: write_plain(out, reply->kind, reply->text); break;
    }
}

void uci_write_id(Buf *out, Str name, Str author)
{
    write_plain(out, UCI_REPLY_ID_NAME, name);
    write_plain(out, UCI_REPLY_ID_AUTHOR, author);
}

void uci_write_uciok(Buf *out) { write_plain(out, UCI_REPLY_UCIOK, STR("")); }

void uci_write_readyok(Buf *out) { write_plain(out, UCI_REPLY_READYOK, STR("")); }

void uci_write_bestmove(Buf *out, Str move, Str ponder)
{
    buf_append(out, STR("bestmove "));
    uci_append_text(out, move.len ? move : STR("0000"));
    if (ponder.len) uci_append_part(out, STR("ponder"), ponder);
    buf_append_char(out, '\n');
}

bool uci_move_is_none(Str move)
{
    return move.len == 0 || str_equal(move, STR("0000")) || str_equal_nocase(move, STR("(none)")) ||
           str_equal_nocase(move, STR("none")) || str_equal_nocase(move, STR("null"));
}
