/* guard.c - see guard.h. */
#include "web/guard.h"

#include <arpa/inet.h>

bool guard_is_loopback(Str host)
{
    return str_equal(host, STR("127.0.0.1")) || str_equal(host, STR("::1")) || str_equal_nocase(host, STR("localhost"));
}

/* Splits "name:port" and "[::1]:port"; without a port it is the one of the scheme. */
static bool split_host(Str text, Str *name, int *port)
{
    Str digits = STR("80");
    if (text.len && text.ptr[0] == '[') {
        const char *end = memchr(text.ptr, ']', text.len);
        if (!end) return false;
        *name    = (Str){text.ptr + 1, (size_t)(end - text.ptr) - 1};
        Str rest = str_skip(text, name->len + 2);
        if (rest.len && rest.ptr[0] != ':') return false;
        if (rest.len) digits = str_skip(rest, 1);
    } else {
        const char *colon = memchr(text.ptr, ':', text.len);
        *name             = colon ? (Str){text.ptr, (size_t)(colon - text.ptr)} : text;
        if (colon) digits = str_skip(text, name->len + 1);
    }
    if (!digits.len || !char_is_digit(digits.ptr[0])) return false;
    return str_to_int(digits, 1, 65535, port);
}

static bool is_address(Str name)
{
    char            text[64];
    struct in6_addr address;
    if (name.len >= sizeof text) return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1;
}

bool guard_host_is_right(const Guard *guard, Str host)
{
    Str name;
    int port;
    if (!host.len || !split_host(host, &name, &port) || port != guard->port) return false;
    if (guard_is_loopback(name)) return true;
    if (guard->host[0] && str_equal_nocase(name, str_from(guard->host))) return true;
    return guard->any_address && is_address(name);
}

bool guard_origin_is_right(const Guard *guard, Str host, Str origin)
{
    Str scheme = STR("http://");
    return guard_host_is_right(guard, host) && str_starts_with(origin, scheme) && str_equal(str_skip(origin, scheme.len), host);
}

bool guard_token_is_right(const Guard *guard, Str token)
{
    size_t len = strlen(guard->token);
    if (!len) return true;
    unsigned difference = token.len != len;
    for (size_t i = 0; i < len; i++) {
        char given = token.len ? token.ptr[i < token.len ? i : 0] : '\0';
        difference |= (unsigned)(unsigned char)guard->token[i] ^ (unsigned char)given;
    }
    return difference == 0;
}

Str guard_bearer(Str authorization)
{
    Str word = str_next_token(&authorization);
    return str_equal_nocase(word, STR("Bearer")) ? str_trim(authorization) : (Str){"", 0};
}

Str guard_cookie(Str cookies)
{
    while (cookies.len) {
        Str pair = str_trim(str_next_until(&cookies, ';'));
        if (str_starts_with(pair, STR("tabia="))) return str_skip(pair, 6);
    }
    return (Str){"", 0};
}
