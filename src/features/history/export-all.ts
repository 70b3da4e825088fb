import { formatBytes, plural } from '../../lib/format.ts';
import { tellBriefly } from '../../state/notices.ts';
import type { Playground } from '../../state/playground.ts';
import { saveFile } from '../../ui/display/save-file.ts';

/** Saves every session in one file that can be imported again. */
export async function exportAll(playground: Playground): Promise<void> {
  try {
    await save(playground);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    playground.notices.setState({
      notice: { tone: 'problem', text: `Could not create the file: ${words}` },
    });
  }
}

async function save({ files, recorder, notices }: Playground): Promise<void> {
  await recorder.flush();
  const exporter = await files.exporter();
  const file = await exporter.json();
  if (!file) return;
  const name = 'bench-all-sessions.json';
  const bytes = saveFile(file.pieces, name, 'application/json');
  const live = file.isPartial ? ' Some answers were still streaming and are partial.' : '';
  const what = `${plural(file.sessions, 'session')} with ${plural(file.answers, 'answer')}`;
  tellBriefly(
    notices,
    `Saved ${name}: ${what}, ${formatBytes(bytes)}.${live} No key or gateway address is included.`,
  );
}
