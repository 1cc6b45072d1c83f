/* embed.S - the bytes of data/book.bin and data/eco.txt; embed.h declares them. */
    .section .rodata
    .balign 16
    .global embedded_book
embedded_book:
    .incbin "data/book.bin"
embedded_book_end:
    .byte 0
    .balign 16
    .global embedded_names
embedded_names:
    .incbin "data/eco.txt"
embedded_names_end:
    .byte 0
    .balign 8
    .global embedded_book_size
    .global embedded_names_size
embedded_book_size:
    .quad embedded_book_end - embedded_book
embedded_names_size:
    .quad embedded_names_end - embedded_names
    .section .note.GNU-stack, "", %progbits
