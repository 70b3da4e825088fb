import { FileUp, ListPlus } from 'lucide-react';
import { useState } from 'react';

import { wordsOf } from '../../../lib/error-words.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useControlState, useLabControl } from '../hooks/use-lab-control.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { loadReaders } from '../lab/lab-input.ts';
import { lateView } from '../lab/late-view.tsx';
import { labActs } from '../lab/load-acts.ts';
import { FindField } from '../nearest/find-field.tsx';
import { CostPreview } from './cost-preview.tsx';
import { SelectedText } from './selected-text.tsx';
import { starters, textOfStarter } from './starters.ts';
import { TextsTable } from './texts-table.tsx';
import { useFileChoice } from './use-file-choice.ts';

const FileCard = lateView('The file', async () => (await labActs()).FileCard);

const accepted = '.csv,.tsv,.jsonl,.ndjson,.json,.txt,.md,text/*';
const largestFileBytes = 64 * 1024 * 1024;

/** What is embedded: typed, pasted or from a file; and every text with what became of it. */
export function TextsPanel({ hasFind }: { hasFind: boolean }) {
  const { edit, embed } = useLabControl();
  const input = useControlState((control) => control.input);
  const problems = useControlState((control) => control.reading.problems);
  const hasTable = useLabState((lab) => lab.texts.length > 0);
  const [refusal, setRefusal] = useState<string>();

  const onFile = async (file: File) => {
    setRefusal(undefined);
    if (file.size > largestFileBytes) {
      setRefusal(`${file.name} is larger than 64 MB. Use a part of it.`);
      return;
    }
    try {
      const { importedFile } = await loadReaders();
      const imported = importedFile(file.name, await file.text());
      if (imported) edit({ file: imported });
      else setRefusal(`${file.name} contains no rows.`);
    } catch (error) {
      setRefusal(wordsOf(error));
    }
  };
  const { isOver, choose, dropProps } = useFileChoice((file) => void onFile(file));
  const isTokens = input.mode === 'tokens';
  const [problem] = problems;

  return (
    <section className={isOver ? 'texts over' : 'texts'} aria-label="Texts to embed" {...dropProps}>
      {hasFind && <FindField />}
      <div className={hasTable ? 'texts-input short' : 'texts-input'}>
        <div className="texts-head">
          <label htmlFor="texts">Texts</label>
          <span className="grow" />
          <Segmented
            label="What is sent"
            value={input.mode}
            choices={[
              { value: 'texts', label: 'text' },
              { value: 'tokens', label: 'tokens' },
            ]}
            onChange={(mode) => edit({ mode })}
          />
        </div>
        {input.file ? (
          <FileCard file={input.file} />
        ) : (
          <TextArea
            id="texts"
            aria-describedby="texts-hint"
            aria-invalid={problem !== undefined || undefined}
            className={isTokens ? 'area mono' : 'area'}
            dir="auto"
            spellCheck={!isTokens}
            placeholder={isTokens ? 'Token numbers, one input per line: 15339, 1917' : 'One text per line'}
            value={input.typed}
            onText={(typed) => edit({ typed })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void embed();
            }}
          />
        )}
        <div id="texts-hint">
          <CostPreview />
          {problem && !input.file && (
            <p className="cost failed">
              Line {problem.line} is skipped. {problem.message}
            </p>
          )}
          {refusal !== undefined && (
            <p className="cost failed" role="alert">
              {refusal}
            </p>
          )}
        </div>
      </div>
      <TextsTable />
      <SelectedText />
      <div className="texts-tools">
        <Menu
          label="Examples"
          placement="start"
          items={starters.map(({ id, name, about }) => ({
            label: name,
            hint: about,
            onPick: () =>
              void textOfStarter(id).then(
                (typed) => edit({ typed, mode: 'texts', file: undefined }),
                (error: unknown) => setRefusal(`The example could not be loaded: ${wordsOf(error)}`),
              ),
          }))}
        >
          <ListPlus className="i s" aria-hidden />
          Examples
        </Menu>
        <Button look="quiet" size="small" onClick={() => choose(accepted)}>
          <FileUp className="i s" aria-hidden />
          CSV, JSON Lines or text file
        </Button>
      </div>
    </section>
  );
}
