/* page.S - the bytes of the page; assets.c declares them. The build writes the files, empty ones where there is no page. */
    .macro asset name, file
    .global asset_\name
    .global asset_\name\()_size
asset_\name:
    .incbin "\file"
asset_\name\()_end:
    .byte 0
    .balign 8
asset_\name\()_size:
    .quad asset_\name\()_end - asset_\name
    .endm

    .section .rodata
    .balign 8
    asset index, "build/web/index.html.gz"
    asset script, "build/web/app.js.gz"
    asset style, "build/web/app.css.gz"
    asset icon, "build/web/favicon.svg.gz"
    .section .note.GNU-stack, "", %progbits
