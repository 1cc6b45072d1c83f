/* events.h - server-sent events of one game: a ring of messages that every client reads at its own pace.
 *
 * Producers (the search, the keeper of games, requests) only append and wake; nobody ever waits for a client. A client that has
 * fallen behind the ring starts again with the whole game, which is the first message of every stream, and goes on with the last
 * few, so that it hears how a search or a report ended; so memory is bounded by the ring, whatever clients do.
 * Threads: all calls under the lock of the Hub that the channel belongs to.
 */
#ifndef WEB_EVENTS_H
#define WEB_EVENTS_H

#include <microhttpd.h>

#include "base/buf.h"

enum { RING_MESSAGES = 256, RING_BYTES = 1 << 20, LAST_MESSAGES = 8 };

/* Shared by the ring and by clients in the middle of reading it. */
typedef struct {
    int    users;
    size_t len;
    char   text[];
} Message;

typedef struct Channel Channel;

typedef struct Client {
    struct Client         *next;
    Channel               *channel; /* NULL: the game is gone, the stream ends */
    struct MHD_Connection *connection;
    bool                   suspended;
    bool                   fresh; /* the whole game comes next */
    bool                   ping;  /* something must be sent, so that a dead connection is noticed */
    uint64_t               next_number;
    Message               *reading;
    size_t                 offset;
} Client;

struct Channel {
    Client  *clients;
    int      client_count;
    Message *ring[RING_MESSAGES];
    uint64_t first, end; /* numbers of the oldest message and of the one to come */
    size_t   bytes;
};

/* Appends an event ("event: NAME", the data on one line) and wakes clients. Costs nothing when nobody listens. */
void channel_send(Channel *channel, const char *name, Str data);

void channel_add(Channel *channel, Client *client);
void channel_remove(Client *client); /* its connection is gone */
void channel_ping(Channel *channel);

/* Ends all streams: the game is gone, or the server. */
void channel_close(Channel *channel);

/* The bytes a client gets next. 0: none now, and the connection is suspended; -1: the stream ends. `whole` makes the first
 * message (the whole game); it is called under the same lock. */
typedef Message *WholeFn(void *context);
ptrdiff_t        client_read(Client *client, char *out, size_t size, WholeFn *whole, void *context);

/* A message in the form of the stream; NULL when memory is short. `number` 0: without an id. */
Message *message_new(const char *name, Str data, uint64_t number);
void     message_drop(Message *message); /* NULL is fine */

#endif
