/* embed.S - the bytes of the network that the program carries (none when the build has none); net.c reads them. */
    .section .rodata
    .balign 64
    .global embedded_net
embedded_net:
#ifdef TABIA_NETWORK
    .incbin TABIA_NETWORK
#endif
embedded_net_end:
    .byte 0
    .balign 8
    .global embedded_net_size
embedded_net_size:
    .quad embedded_net_end - embedded_net
    .section .note.GNU-stack, "", %progbits
