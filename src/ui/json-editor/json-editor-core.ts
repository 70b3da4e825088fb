/** The part of the JSON editor that depends on CodeMirror; loaded on first use of an editor. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, ensureSyntaxTree, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { stopCompositionKey } from '../composition-keys.ts';

export interface EditorProblem {
  message: string;
  /** Offset of the character with the error. If absent, the first syntax error is marked. */
  offset?: number;
}

export interface MountedEditor {
  setText(text: string): void;
  setProblem(problem: EditorProblem | undefined): void;
  destroy(): void;
}

interface EditorOptions {
  label: string;
  text: string;
  onChange: (text: string) => void;
  minLines: number;
  placeholder: string;
  /** Set if the plain field had focus, to keep its caret position. */
  caret: { anchor: number; head: number } | undefined;
}

const externalChange = Annotation.define<boolean>();

const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--lane-b)' },
  { tag: tags.string, color: 'var(--lane-c)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--lane-a)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-3)' },
]);

const createTheme = (minLines: number): Extension =>
  EditorView.theme({
    '&': { background: 'none', color: 'var(--ink)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      font: 'var(--m-12)',
      fontSize: 'var(--editor-size, 12px)',
      wordSpacing: '0',
      letterSpacing: '0',
      maxHeight: 'var(--editor-max, none)',
      overflow: 'auto',
      scrollbarWidth: 'thin',
    },
    '.cm-content': { padding: '5px 0', minHeight: `${minLines * 18 + 10}px`, caretColor: 'var(--needle)' },
    '.cm-line': { padding: '0 9px' },
    '.cm-placeholder': { color: 'var(--ink-3)' },
    '.cm-matchingBracket': { background: 'none', color: 'inherit' },
    '&.cm-focused .cm-matchingBracket': { background: 'var(--hover)' },
    '.cm-lintRange-error': { background: 'none', textDecoration: 'underline wavy var(--err) 1px' },
    '.cm-lintPoint-error:after': { borderBottomColor: 'var(--err)' },
    '.cm-tooltip': {
      border: '0',
      borderRadius: 'var(--r-2)',
      background: 'var(--ink)',
      color: 'var(--on-ink)',
    },
    '.cm-tooltip .cm-diagnostic': { border: '0', font: 'var(--t-12)' },
  });

function createLabelAttributes(label: string, problem?: EditorProblem): Extension {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    spellcheck: 'false',
    tabindex: '0',
    // IDs cannot be referenced across the shadow root, so the description is the message itself.
    ...(problem ? { 'aria-invalid': 'true', 'aria-description': problem.message } : {}),
  });
}

/** Time limit of the parser in ms; if it is exceeded, no error is marked. */
const parseBudgetMs = 50;

/** Returns the offset of the first syntax error. JavaScript engines do not always report it in their message. */
function findFirstSyntaxError(state: EditorState): number | undefined {
  let offset: number | undefined;
  ensureSyntaxTree(state, state.doc.length, parseBudgetMs)?.iterate({
    enter: (node) => {
      if (node.type.isError) offset ??= node.from;
    },
  });
  return offset;
}

/** Mounts CodeMirror for JSON in an open shadow root of `host`, so that its styles do not need a CSP exception. */
export function mountJsonEditor(host: HTMLElement, options: EditorOptions): MountedEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  host.addEventListener('keydown', stopCompositionKey);
  const labelCompartment = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      ...(options.caret ? { selection: options.caret } : {}),
      extensions: [
        history(),
        // Without a binding for Tab, Tab leaves the editor.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        bracketMatching(),
        syntaxHighlighting(highlightStyle),
        EditorView.lineWrapping,
        createTheme(options.minLines),
        placeholder(options.placeholder),
        labelCompartment.of(createLabelAttributes(options.label)),
        EditorView.domEventHandlers({
          paste: (event, { state }) => {
            const pasted = event.clipboardData?.getData('text/plain') ?? '';
            if (!isTooLongForField(pasted)) return false;
            // Runs before the browser lays the text out; for text this long, the parent component shows only its
            // beginning.
            options.onChange(state.update(state.replaceSelection(pasted)).newDoc.toString());
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          const isExternal = update.transactions.some((transaction) =>
            transaction.annotation(externalChange),
          );
          if (update.docChanged && !isExternal) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  if (options.caret) view.focus();

  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: externalChange.of(true),
      });
    },
    setProblem(problem) {
      view.dispatch({ effects: labelCompartment.reconfigure(createLabelAttributes(options.label, problem)) });
      const offset = problem && (problem.offset ?? findFirstSyntaxError(view.state));
      if (!problem || offset === undefined) return view.dispatch(setDiagnostics(view.state, []));
      const { length } = view.state.doc;
      const from = Math.min(offset, Math.max(0, length - 1));
      const diagnostic = {
        from,
        to: Math.min(from + 1, length),
        severity: 'error' as const,
        message: problem.message,
      };
      view.dispatch(setDiagnostics(view.state, [diagnostic]));
    },
    destroy: () => view.destroy(),
  };
}
