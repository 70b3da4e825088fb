/** Maximum bytes read of an error body. */
export const maxErrorBytes = 64 * 1024;
/** Maximum bytes kept of one streamed answer, since a page cannot hold an endless one. */
export const maxAnswerBytes = 64 * 1024 * 1024;
/** Maximum bytes of a whole reply. */
export const maxBodyBytes = 32 * 1024 * 1024;
