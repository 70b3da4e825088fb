import { noteSentence } from '../../../conversation/note-sentence.ts';
import { isLive } from '../../../conversation/run.ts';
import type { Run } from '../../../conversation/types.ts';

/** Small remarks that do not block: what was odd about the stream. */
export function NotesView({ run }: { run: Run }) {
  if (isLive(run) || run.notes.length === 0) return null;
  return (
    <ul className="notes">
      {run.notes.map((note) => (
        <li key={note.kind}>{noteSentence(note)}</li>
      ))}
    </ul>
  );
}
