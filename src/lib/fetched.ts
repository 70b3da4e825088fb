/** Code that comes with the first act that needs it. Where it does not come the error is for people; the next act tries anew. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw new Error('What this needs could not be loaded. Check the connection, then try again.');
  }
}
