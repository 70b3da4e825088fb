/** Prefix of the setup in the hash of a shared link. */
export const shareHashPrefix = '#setup=';
