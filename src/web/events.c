/* events.c - see events.h. */
#include "web/events.h"

#include <inttypes.h>
#include <stdlib.h>

Message *message_new(const char *name, Str data, uint64_t number)
{
    Buf text = {0};
    if (number) buf_printf(&text, "id: %" PRIu64 "\n", number);
    buf_printf(&text, "event: %s\ndata: ", name);
    buf_append(&text, data);
    buf_append(&text, STR("\n\n"));
    Message *message = text.failed ? NULL : malloc(sizeof *message + text.len);
    if (message) {
        message->users = 1;
        message->len   = text.len;
        memcpy(message->text, text.data, text.len);
    }
    buf_release(&text);
    return message;
}

void message_drop(Message *message)
{
    if (message && --message->users == 0) free(message);
}

/* ---- the ring ---- */

static void drop_oldest(Channel *channel)
{
    Message **slot = &channel->ring[channel->first++ % RING_MESSAGES];
    channel->bytes -= (*slot)->len;
    message_drop(*slot);
    *slot = NULL;
}

static void wake(Client *client)
{
    if (!client->suspended) return;
    client->suspended = false;
    MHD_resume_connection(client->connection);
}

void channel_send(Channel *channel, const char *name, Str data)
{
    if (!channel->clients) return;
    Message *message = message_new(name, data, channel->end + 1);
    if (!message) return; /* the next one will tell */
    while (channel->first < channel->end &&
           (channel->end - channel->first == RING_MESSAGES || channel->bytes + message->len > RING_BYTES))
        drop_oldest(channel);
    channel->ring[channel->end++ % RING_MESSAGES] = message;
    channel->bytes += message->len;
    for (Client *c = channel->clients; c; c = c->next) wake(c);
}

static void empty_ring(Channel *channel)
{
    while (channel->first < channel->end) drop_oldest(channel);
}

/* ---- clients ---- */

void channel_add(Channel *channel, Client *client)
{
    client->channel     = channel;
    client->fresh       = true;
    client->next_number = channel->end;
    client->next        = channel->clients;
    channel->clients    = client;
    channel->client_count++;
}

void channel_remove(Client *client)
{
    Channel *channel = client->channel;
    message_drop(client->reading);
    client->reading = NULL;
    if (!channel) return;
    Client **link = &channel->clients;
    while (*link != client) link = &(*link)->next;
    *link = client->next;
    channel->client_count--;
    client->channel = NULL;
    if (!channel->clients) empty_ring(channel);
}

void channel_ping(Channel *channel)
{
    for (Client *c = channel->clients; c; c = c->next) {
        c->ping = true;
        wake(c);
    }
}

void channel_close(Channel *channel)
{
    while (channel->clients) {
        Client *client   = channel->clients;
        channel->clients = client->next;
        client->channel  = NULL;
        wake(client);
    }
    channel->client_count = 0;
    empty_ring(channel);
}

/* What comes next for a client; NULL: nothing. */
static Message *next_message(Client *client, WholeFn *whole, void *context)
{
    Channel *channel = client->channel;
    bool     lost    = client->next_number < channel->first; /* too slow: what it missed is gone, but for the last few */
    if (client->fresh || lost) {
        uint64_t kept = channel->end - channel->first, last = kept < LAST_MESSAGES ? kept : LAST_MESSAGES;
        client->next_number = channel->end - (client->fresh ? 0 : last);
        client->fresh       = false;
        client->ping        = false;
        return whole(context);
    }
    if (client->next_number < channel->end) {
        Message *message = channel->ring[client->next_number++ % RING_MESSAGES];
        message->users++;
        client->ping = false;
        return message;
    }
    if (!client->ping) return NULL;
    client->ping = false;
    return message_new("ping", STR("{}"), 0);
}

ptrdiff_t client_read(Client *client, char *out, size_t size, WholeFn *whole, void *context)
{
    if (!client->channel) return -1;
    if (!client->reading) {
        client->reading = next_message(client, whole, context);
        client->offset  = 0;
    }
    if (!client->reading) {
        client->suspended = true;
        MHD_suspend_connection(client->connection);
        return 0;
    }
    size_t left = client->reading->len - client->offset, part = left < size ? left : size;
    memcpy(out, client->reading->text + client->offset, part);
    client->offset += part;
    if (part == left) {
        message_drop(client->reading);
        client->reading = NULL;
    }
    return (ptrdiff_t)part;
}
