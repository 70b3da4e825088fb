import { useState } from 'react';

import { refusalWords } from '../../conversation/files/import-refusal.ts';
import { usePlayground } from '../../state/react.tsx';

/** Takes files in one after the other; what is refused is said, what came in is offered to be taken back. */
export function useImport(): { isImporting: boolean; take: (files: readonly File[]) => Promise<void> } {
  const { files: sessionFiles, notices } = usePlayground();
  const [isImporting, setIsImporting] = useState(false);
  return {
    isImporting,
    take: async (files) => {
      if (files.length === 0) return;
      setIsImporting(true);
      notices.setState({ notice: undefined });
      for (const file of files) {
        const outcome = await sessionFiles.importFile(file);
        if (!outcome.ok)
          notices.setState({ notice: { tone: 'problem', text: refusalWords(file.name, outcome) } });
      }
      setIsImporting(false);
    },
  };
}
