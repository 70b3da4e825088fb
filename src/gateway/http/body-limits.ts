/** Maximum bytes read of an error body. */
export const maxErrorBytes = 64 * 1024;
/** The most of one streamed answer that is kept, in bytes as received: a page cannot hold an answer without an end. */
export const maxAnswerBytes = 64 * 1024 * 1024;
/** Maximum bytes of a whole reply. */
export const maxBodyBytes = 32 * 1024 * 1024;
