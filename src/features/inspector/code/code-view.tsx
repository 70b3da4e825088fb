import { clsx } from 'clsx';
import { useMemo, useState } from 'react';

import { toPortableRequest } from '../../../conversation/code/code-request.ts';
import { buildCodeSnippet, type CodeLanguage } from '../../../conversation/code/code-snippet.ts';
import { parseImageHash } from '../../../conversation/request/message-images.ts';
import { getGatewayAddress } from '../../../gateway/http/setup-diagnosis.ts';
import type { ChatRequest } from '../../../gateway/wire.ts';
import { pluralize } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { Copy } from '../../../ui/late-icons.tsx';
import { useGatewayStatus } from '../../health/use-status.ts';
import { PanelNote } from '../panel-layout.tsx';
import { useStoredImages } from '../use-stored-images.ts';
import { tokenizeCode } from './code-tokens.ts';

const languages: readonly { value: CodeLanguage; label: string; content?: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'fetch', label: 'fetch, no dependencies', content: 'fetch' },
];

interface CodeViewProps {
  body: ChatRequest;
  /** Name of the gateway; the first one if undefined. */
  gatewayName: string | undefined;
}

/** The request as code that sends the same body from outside Bench. */
export function CodeView({ body, gatewayName }: CodeViewProps) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const [portableOnly, setPortableOnly] = useState(false);
  const [copyResult, setCopyResult] = useState<{ code: string; worked: boolean }>();
  const storedImages = useStoredImages(body.messages);
  const portable = useMemo(() => toPortableRequest(body), [body]);
  const displayedBody = portableOnly ? portable.body : body;
  const { code, files } = useMemo(() => {
    const types = new Map([...storedImages].map(([hash, { mediaType }]) => [hash, mediaType]));
    return buildCodeSnippet(language, displayedBody, types);
  }, [language, displayedBody, storedImages]);
  const lines = useMemo(() => tokenizeCode(language, code), [language, code]);
  const currentCopyResult = copyResult?.code === code ? copyResult : undefined;

  return (
    <section aria-label="Code">
      <header className="flex min-h-11 flex-wrap items-center gap-1.5 py-2">
        <Segmented label="Language" value={language} choices={languages} onChange={setLanguage} />
        <span className="min-w-0 flex-1" />
        <Button
          size="small"
          onClick={() => void copyText(code).then((worked) => setCopyResult({ code, worked }))}
        >
          {currentCopyResult?.worked ? (
            <CheckIcon className="icon-14" aria-hidden />
          ) : (
            <Copy className="icon-14" aria-hidden />
          )}
          {currentCopyResult === undefined
            ? 'Copy code'
            : currentCopyResult.worked
              ? 'Copied'
              : 'Copying blocked. Select the code'}
        </Button>
      </header>
      {/* Line numbers are generated content, so that a selection contains only code. */}
      <div
        className="max-h-[62vh] overflow-auto rounded-2 border border-line-2 bg-paper py-2 [counter-reset:line]"
        role="region"
        tabIndex={0}
        aria-label="Code to copy"
        translate="no"
      >
        {lines.map((line, lineIndex) => (
          <div
            key={lineIndex}
            className={clsx(
              'grid min-h-4.75 grid-cols-[38px_minmax(0,1fr)] pr-2.5 [counter-increment:line]',
              'before:pr-3 before:text-right before:font-mono before:text-mono-11 before:leading-4.75 before:text-ink-3 before:select-none',
              'before:content-[counter(line)]',
            )}
          >
            <code className="font-mono text-mono-12 leading-4.75 wrap-anywhere whitespace-pre-wrap [tab-size:2] text-ink">
              {line.map(({ kind, text }, index) => (
                <span
                  key={index}
                  className={clsx(
                    {
                      plain: undefined,
                      key: 'text-(--lane-b)',
                      text: 'text-(--lane-a)',
                      value: 'text-(--lane-a)',
                      word: 'text-(--lane-c)',
                      mark: 'text-ink-3',
                    }[kind],
                  )}
                >
                  {text}
                </span>
              ))}
              {'\n'}
            </code>
          </div>
        ))}
      </div>
      {files.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-12">
          {files.map(({ file, source }) => {
            const hash = parseImageHash(source);
            const href = hash === undefined ? source : storedImages.get(hash)?.objectUrl;
            return (
              <li key={source}>
                {href === undefined ? (
                  <span>{file}: no longer stored in this browser.</span>
                ) : (
                  <a
                    className="min-h-6 text-ink-2 underline decoration-line-2 underline-offset-2 hover:text-ink hover:decoration-current"
                    href={href}
                    download={file}
                  >
                    Save {file}
                  </a>
                )}
              </li>
            );
          })}
          <li className="basis-full text-pretty text-ink-3">
            Save {files.length === 1 ? 'this file' : 'these files'} in the folder where the code runs.
          </li>
        </ul>
      )}
      {portable.omittedFields.length > 0 && (
        <div className="mt-2.5 grid grid-cols-[auto_auto_minmax(0,1fr)] items-start gap-x-2 text-12 leading-4.5">
          <Switch label="Portable fields only" checked={portableOnly} onChange={setPortableOnly} />
          <b className="font-600 whitespace-nowrap" aria-hidden>
            Portable fields only
          </b>
          <span className="wrap-anywhere text-ink-3">
            {portableOnly
              ? `${pluralize(portable.omittedFields.length, 'field')} left out: other models may handle them differently.`
              : `Leaves out ${portable.omittedFields.join(', ')}.`}
          </span>
        </div>
      )}
      <PanelNote>
        The code reads GATEWAY_BASE_URL and GATEWAY_API_KEY from the environment. It never contains the key.
      </PanelNote>
      <RunInstructions gatewayName={gatewayName} />
    </section>
  );
}

/** Instructions to set up a terminal for the gateway of the run. */
function RunInstructions({ gatewayName }: { gatewayName: string | undefined }) {
  const status = useGatewayStatus(gatewayName);
  const address = getGatewayAddress(status);
  if (status?.demo)
    return (
      <PanelNote>
        For the demo gateway, run <code>npm run demo-gateway</code>, which prints its key. Then run{' '}
        <code>export GATEWAY_BASE_URL=http://127.0.0.1:4788</code>
      </PanelNote>
    );
  if (status === undefined || address === '') return null;
  if (!status.address.endsWith('/v1'))
    return (
      <PanelNote>
        For this gateway, use <code>{status.address}</code> instead of GATEWAY_BASE_URL and <code>/v1</code>.
      </PanelNote>
    );
  return (
    <PanelNote>
      For this gateway: <code>{`export GATEWAY_BASE_URL=${address} GATEWAY_API_KEY=…`}</code>
    </PanelNote>
  );
}
