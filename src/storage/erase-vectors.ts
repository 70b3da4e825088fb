import { deleteDB } from 'idb';

export const vectorDatabaseName = 'bench-vectors';

/** Removes the database with all vectors and notes; every tab that has it open is told. Rejects where the browser refuses. */
export async function eraseVectorDatabase(): Promise<void> {
  await deleteDB(vectorDatabaseName);
}
