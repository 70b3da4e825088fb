/** F79: nobody reads more of an error. */
export const maxErrorBytes = 64 * 1024;
/** T32: the largest whole reply. */
export const maxBodyBytes = 32 * 1024 * 1024;
