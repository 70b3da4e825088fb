import type { Column } from '../../../trials/trial.ts';

/** The system prompt that all columns have; undefined where they differ. */
export function getSharedSystemPrompt(columns: readonly Column[]): string | undefined {
  const [first] = columns;
  return first && columns.every(({ setup }) => setup.system === first.setup.system)
    ? first.setup.system
    : undefined;
}
