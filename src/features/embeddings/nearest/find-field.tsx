import { Search, X } from 'lucide-react';
import { useId } from 'react';
import { useStore } from 'zustand';

import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { clearQuery, findField, findStore } from './find-store.ts';
import { FindTemplate } from './find-template.tsx';
import { useFind } from './use-find.ts';

/** What to look for: words in the texts are found at once, the nearest in meaning on Enter. */
export function FindField() {
  const { query, embedsAsTyped, isAsking, problem, found } = useStore(findStore);
  const { ask, isReady } = useFind();
  const fieldId = useId();
  const hintId = useId();
  const isFound = found !== undefined && found.query === query.trim();
  const hint = isAsking
    ? 'Embedding the query'
    : !isReady
      ? 'Embed the texts first.'
      : query.trim() === '' || isFound
        ? ''
        : embedsAsTyped
          ? 'Searches as you type; one request per pause.'
          : 'Press Enter to search: one request.';

  return (
    <div className="lab-find">
      <label htmlFor={fieldId}>Find texts close to</label>
      <div className="find-field">
        <Search className="i s" aria-hidden />
        <TextArea
          ref={findField}
          id={fieldId}
          aria-label="Find texts close to"
          rows={1}
          dir="auto"
          enterKeyHint="search"
          aria-describedby={hintId}
          value={query}
          onText={(text) => findStore.setState({ query: text, problem: undefined })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              ask();
            }
          }}
        />
        {query !== '' && (
          <IconButton size="small" label="Clear the query" onClick={clearQuery}>
            <X className="i s" aria-hidden />
          </IconButton>
        )}
      </div>
      <p id={hintId} className="find-hint">
        {problem ?? hint}
      </p>
      <details className="find-more">
        <summary>Query template</summary>
        <FindTemplate />
      </details>
    </div>
  );
}
