import type { Column } from '../../../trials/trial.ts';

/** Returns the system prompt shared by all columns, or `undefined` if they differ. */
export function getSharedSystemPrompt(columns: readonly Column[]): string | undefined {
  const [first] = columns;
  return first && columns.every(({ setup }) => setup.system === first.setup.system)
    ? first.setup.system
    : undefined;
}
