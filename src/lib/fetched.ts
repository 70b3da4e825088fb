/** Code that comes with the first act that needs it. If it cannot be loaded, the error is for people; the next act tries again. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw new Error('What this needs could not be loaded. Check the connection, then try again.');
  }
}
