import { formatBytes, plural } from '../../../lib/format.ts';
import { tellBriefly } from '../../../state/notices.ts';
import type { Playground } from '../../../state/playground.ts';
import { saveFile } from '../../../ui/display/save-file.ts';

export type SessionForm = 'json' | 'md' | 'html';

const types: Record<SessionForm, string> = {
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
};

/** Saves one session in a form: the record itself as JSON, or for reading as Markdown or one HTML page. */
export async function saveSession(
  playground: Playground,
  sessionId: string,
  form: SessionForm,
): Promise<void> {
  try {
    await save(playground, sessionId, form);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    playground.notices.setState({
      notice: { tone: 'problem', text: `Could not create the file: ${words}` },
    });
  }
}

async function save({ files, notices }: Playground, sessionId: string, form: SessionForm): Promise<void> {
  const exporter = await files.exporter();
  const snapshot = await exporter.snapshot(sessionId);
  if (!snapshot) return;
  const { countsOf, fileNameOf } = await import('../../../conversation/files/export.ts');
  const { hashOfImageUrl } = await import('../../../conversation/request/images.ts');
  const { hasLiveRun } = await import('../../../conversation/reply/run.ts');
  const { data } = snapshot;

  const piecesOf = async (): Promise<string[]> => {
    if (form === 'json') return (await exporter.json(sessionId))?.pieces ?? [];
    if (form === 'md') {
      const { sessionMarkdown } = await import('../../../conversation/files/markdown-export.ts');
      return [sessionMarkdown(data)];
    }
    const [{ sessionHtml }, { htmlOfMarkdown }] = await Promise.all([
      import('../../../conversation/files/html-export.ts'),
      import('../../../markdown/parse/html-text.ts'),
    ]);
    const images = await exporter.images(data);
    const imageOf = (url: string) => (url.startsWith('data:') ? url : images[hashOfImageUrl(url) ?? '']);
    return [sessionHtml(data, { renderMarkdown: htmlOfMarkdown, imageOf })];
  };

  const name = fileNameOf(data.session.title, form);
  const bytes = saveFile(await piecesOf(), name, types[form]);
  tellBriefly(notices, savedSentence(name, bytes, countsOf(data), hasLiveRun(data)));
}

/** What was saved, and what is not in it. */
export function savedSentence(
  name: string,
  bytes: number,
  { prompts, answers }: { prompts: number; answers: number },
  isLive: boolean,
): string {
  const live = isLive ? ' An answer was still streaming and is partial.' : '';
  const what = `${plural(prompts, 'message')} and ${plural(answers, 'answer')}, ${formatBytes(bytes)}`;
  return `Saved ${name}: ${what}.${live} No key or gateway address is included.`;
}
