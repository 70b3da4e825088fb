import { toFileName } from '../../conversation/files/session-export.ts';
import type { SessionId, TurnId } from '../../conversation/session/types.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import { showToast } from '../../state/notices.ts';
import { exportTapes } from '../../state/runs/tape-files.ts';
import { saveFile } from '../../ui/display/save-file.ts';
import type { SessionFileServices } from './session-file-actions.ts';

/** Saves the tapes of a session, or only of the given answers, as JSON Lines, and shows a toast with the contents. */
export async function saveTapeFile(
  { sessionFiles, library, recorder, notices }: SessionFileServices,
  sessionId: SessionId,
  turnIds?: readonly TurnId[],
): Promise<void> {
  await recorder.flush();
  const tapeFile = await exportTapes({ library, exporter: sessionFiles.exporter }, sessionId, turnIds);
  if (!tapeFile || tapeFile.answerCount === 0) {
    notices.setState({
      notice: {
        severity: 'problem',
        text: 'These answers have no recording to save.',
      },
    });
    return;
  }
  const name = toFileName(tapeFile.title, 'tapes.jsonl');
  const bytes = saveFile(tapeFile.pieces, name, 'application/jsonl');
  const contents = `${pluralize(tapeFile.answerCount, 'recorded answer')}, ${pluralize(tapeFile.entryCount, 'entry', 'entries')}`;
  showToast(notices, `Saved ${name}: ${contents}, ${formatBytes(bytes)}. No key is included.`);
}
