import { clsx } from 'clsx';
import { useState } from 'react';

import { importTools } from '../../../conversation/request/openapi-tools-import.ts';
import { pluralize } from '../../../lib/format.ts';
import type { Json } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FieldError, Hint } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { cardVariants } from '../../../ui/display/card.tsx';
import { FormLine } from './form-parts.tsx';
import { listFunctionNames } from './tool-edits.ts';

interface ToolImportProps {
  tools: readonly Json[];
  onImport: (tools: readonly Json[], remarks: readonly string[]) => void;
  onCancel: () => void;
}

/** Field into which tools are pasted, with a preview of the tools that would be added. */
export function ToolImport({ tools, onImport, onCancel }: ToolImportProps) {
  const [text, setText] = useState('');
  const importResult = text.trim() === '' ? undefined : importTools(text, listFunctionNames(tools));
  const names = importResult?.ok ? listFunctionNames(importResult.tools) : [];
  return (
    <section
      className={clsx(cardVariants(), 'grid gap-1.5 px-3 pt-2.5 pb-3')}
      aria-label="Import tools"
      // Keeps the preview in view while it grows downwards.
      ref={(panel) => panel?.scrollIntoView({ block: 'nearest' })}
    >
      <label htmlFor="tools-to-import" className="text-11 text-ink-3 normal-nums">
        Paste tools or an OpenAPI 3 document as JSON
      </label>
      <TextArea
        id="tools-to-import"
        variant="code"
        className="max-h-60 overflow-y-auto pointer-coarse:text-[16px]"
        rows={6}
        autoFocus
        spellCheck={false}
        aria-describedby="tools-found"
        placeholder={
          '{ "openapi": "3.1.0", "paths": … }, a list of tools, one function, or a request with tools'
        }
        value={text}
        onText={setText}
      />
      <div id="tools-found" role="status">
        {importResult && !importResult.ok && <FieldError>{importResult.problem}</FieldError>}
        {importResult?.ok && (
          <Hint>
            {pluralize(importResult.tools.length, 'tool')}
            {names.length > 0 &&
              `: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' and more' : ''}`}.{' '}
            {importResult.remarks.join(' ')}
          </Hint>
        )}
      </div>
      <FormLine>
        <Button
          variant="primary"
          size="small"
          disabled={!importResult?.ok}
          onClick={() => {
            if (importResult?.ok) onImport(importResult.tools, importResult.remarks);
          }}
        >
          {importResult?.ok ? `Add ${pluralize(importResult.tools.length, 'tool')}` : 'Add tools'}
        </Button>
        <Button variant="ghost" size="small" onClick={onCancel}>
          Cancel
        </Button>
        {!importResult && <span className="text-ink-3">Paste JSON first.</span>}
      </FormLine>
    </section>
  );
}
