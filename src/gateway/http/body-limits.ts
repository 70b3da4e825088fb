/** Maximum number of bytes read from an error body. */
export const maxErrorBytes = 64 * 1024;
/** Maximum number of bytes kept from one streamed answer, since a page cannot hold an endless one. */
export const maxAnswerBytes = 64 * 1024 * 1024;
/** Maximum number of bytes in a response that is not streamed. */
export const maxBodyBytes = 32 * 1024 * 1024;
