/** F79: nobody reads more of an error. */
export const maxErrorBytes = 64 * 1024;
/** The most of one streamed answer that is kept, in bytes as received: a page cannot hold an answer without an end. */
export const maxAnswerBytes = 64 * 1024 * 1024;
/** T32: the largest whole reply. */
export const maxBodyBytes = 32 * 1024 * 1024;
