import { EngineError } from './engine.ts';

/** What few people ask for is fetched when it is asked for; a fetch that failed is tried anew the next time. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw new EngineError('What computes this could not be loaded. Check the connection, then try again.');
  }
}
