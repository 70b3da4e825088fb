import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';

/** Opens a file dialog for a file that can contain cases. */
export function openCaseFile(onFile: (file: File) => void): void {
  openFileDialog(
    '.csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,text/*,application/json',
    ([file]) => file && onFile(file),
    false,
  );
}
