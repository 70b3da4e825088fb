import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import type { EditorProblem, MountedEditor, mountJsonEditor } from './json-editor-core.ts';

interface JsonEditorOptions {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: EditorProblem | undefined;
  minLines: number;
  placeholder: string;
  isPlain: boolean;
}

type MountEditor = typeof mountJsonEditor;

/** Caret position in the plain field that is being replaced, if it had focus. */
interface Caret {
  anchor: number;
  head: number;
}

/**
 * Loads the editor, unless `isPlain`, and keeps it in sync with `value` and `problem`. Until it has loaded, or if
 * loading fails, the plain field stays; focus and caret are carried over.
 */
export function useJsonEditor(options: JsonEditorOptions) {
  const { value, problem, isPlain } = options;
  const host = useRef<HTMLDivElement>(null);
  const caret = useRef<Caret>(undefined);
  const editor = useRef<MountedEditor>(undefined);
  const [mount, setMount] = useState<MountEditor>();
  const isEditorVisible = mount !== undefined && !isPlain;

  useEffect(() => {
    if (isPlain || mount) return;
    let isUnmounted = false;
    import('./json-editor-core.ts').then(
      (loaded) => !isUnmounted && setMount(() => loaded.mountJsonEditor),
      () => {},
    );
    return () => {
      isUnmounted = true;
    };
  }, [isPlain, mount]);

  // Read when the field is removed, since its selection events arrive after the typed text.
  const plainFieldRef = useCallback((field: HTMLTextAreaElement) => {
    return () => {
      const { selectionStart, selectionEnd } = field;
      if (field === document.activeElement) caret.current = { anchor: selectionStart, head: selectionEnd };
    };
  }, []);

  const notifyChange = useEffectEvent((text: string) => options.onChange(text));
  const mountInto = useEffectEvent((element: HTMLElement, mountEditor: MountEditor) => {
    const { label, value: text, minLines, placeholder } = options;
    const mountedEditor = mountEditor(element, {
      label,
      text,
      onChange: notifyChange,
      minLines,
      placeholder,
      caret: caret.current,
    });
    caret.current = undefined;
    return mountedEditor;
  });

  useLayoutEffect(() => {
    if (!isEditorVisible) caret.current = undefined;
    if (!isEditorVisible || !mount || !host.current) return;
    const mountedEditor = mountInto(host.current, mount);
    editor.current = mountedEditor;
    return () => {
      editor.current = undefined;
      mountedEditor.destroy();
    };
  }, [isEditorVisible, mount]);

  useLayoutEffect(() => editor.current?.setText(value), [value, isEditorVisible]);
  const message = problem?.message;
  const offset = problem?.offset;
  useLayoutEffect(() => {
    if (message === undefined) editor.current?.setProblem(undefined);
    else editor.current?.setProblem(offset === undefined ? { message } : { message, offset });
  }, [message, offset, isEditorVisible]);

  return { host, plainField: plainFieldRef, isEditorVisible };
}
