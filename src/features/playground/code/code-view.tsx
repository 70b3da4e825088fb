import { Check, Copy } from 'lucide-react';
import { useMemo, useState } from 'react';

import { portableRequest } from '../../../conversation/code/code-request.ts';
import { codeSnippet, type CodeLanguage } from '../../../conversation/code/code-snippet.ts';
import { hashOfImageUrl } from '../../../conversation/request/images.ts';
import type { ChatRequest } from '../../../gateway/wire.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { useStoredImages } from '../inspector/use-stored-images.ts';
import { codeTokens } from './code-tokens.ts';

import './code-view.css';

const languages: readonly { value: CodeLanguage; label: string; shown?: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'fetch', label: 'fetch, no package', shown: 'fetch' },
];

/** The call as code that sends the same body, to run anywhere. */
export function CodeView({ body }: { body: ChatRequest }) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const [portableOnly, setPortableOnly] = useState(false);
  const [copied, setCopied] = useState<{ code: string; worked: boolean }>();
  const stored = useStoredImages(body.messages);
  const portable = useMemo(() => portableRequest(body), [body]);
  const shown = portableOnly ? portable.body : body;
  const { code, images } = useMemo(() => {
    const types = new Map([...stored].map(([hash, { mediaType }]) => [hash, mediaType]));
    return codeSnippet(language, shown, types);
  }, [language, shown, stored]);
  const lines = useMemo(() => codeTokens(language, code), [language, code]);
  const outcome = copied?.code === code ? copied : undefined;

  return (
    <section aria-label="Code" className="code-view">
      <header className="fl">
        <Segmented label="Language" value={language} choices={languages} onChange={setLanguage} />
        <span className="grow" />
        <Button
          size="small"
          onClick={() => void copyText(code).then((worked) => setCopied({ code, worked }))}
        >
          {outcome?.worked ? <Check className="i s" aria-hidden /> : <Copy className="i s" aria-hidden />}
          {outcome === undefined ? 'Copy code' : outcome.worked ? 'Copied' : 'Select it and copy manually'}
        </Button>
      </header>
      {/* The numbers are drawn, so that a selection holds code alone. */}
      <div className="code-lines" role="region" tabIndex={0} aria-label="Code to copy" translate="no">
        {lines.map((line, at) => (
          <div key={at} className="code-line">
            <code>
              {line.map(({ kind, text }, index) => (
                <span key={index} className={`c-${kind}`}>
                  {text}
                </span>
              ))}
              {'\n'}
            </code>
          </div>
        ))}
      </div>
      {images.length > 0 && (
        <ul className="code-files">
          {images.map(({ file, source }) => {
            const hash = hashOfImageUrl(source);
            const address = hash === undefined ? source : stored.get(hash)?.address;
            return (
              <li key={source}>
                {address === undefined ? (
                  <span>{file}: the image is no longer stored here.</span>
                ) : (
                  <a className="text-button" href={address} download={file}>
                    Save {file}
                  </a>
                )}
              </li>
            );
          })}
          <li className="nt">
            The code reads {images.length === 1 ? 'this file' : 'these files'} from the folder it runs in.
          </li>
        </ul>
      )}
      {portable.left.length > 0 && (
        <div className="code-portable">
          <Switch label="Portable fields only" checked={portableOnly} onChange={setPortableOnly} />
          <b aria-hidden>Portable fields only</b>
          <span>
            {portableOnly
              ? `${plural(portable.left.length, 'field')} left out. They may not behave the same on another model.`
              : `Would leave out ${portable.left.join(', ')}.`}
          </span>
        </div>
      )}
      <p className="nt">
        GATEWAY_BASE_URL and the key in GATEWAY_API_KEY are read from the environment. The key is never
        written into the code.
      </p>
    </section>
  );
}
