import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';

/** Opens a file dialog for a file that can contain cases, or has one of these further extensions. */
export function openCaseFile(onFile: (file: File) => void, extensions = ''): void {
  openFileDialog(
    `.csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,text/*,application/json,${extensions}`,
    ([file]) => file && onFile(file),
    false,
  );
}
