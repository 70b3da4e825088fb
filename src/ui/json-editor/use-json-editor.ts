import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import type { EditorProblem, MountedEditor, mountJsonEditor } from './json-editor-core.ts';

interface JsonEditorState {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: EditorProblem | undefined;
  minLines: number;
  placeholder: string;
  plain: boolean;
}

type Mount = typeof mountJsonEditor;

/** Where the caret stood in the plain field that gives way, if that had the focus. */
interface Caret {
  anchor: number;
  head: number;
}

/**
 * Loads the editor, unless `plain`, and keeps it in step with `value` and `problem`. Until it is there, and where
 * loading fails, the plain field stays; focus and caret move over from it.
 */
export function useJsonEditor(state: JsonEditorState) {
  const { value, problem, plain } = state;
  const host = useRef<HTMLDivElement>(null);
  const caret = useRef<Caret>(undefined);
  const editor = useRef<MountedEditor>(undefined);
  const [mount, setMount] = useState<Mount>();
  const isShown = mount !== undefined && !plain;

  useEffect(() => {
    if (plain || mount) return;
    let isGone = false;
    import('./json-editor-core.ts').then(
      (loaded) => !isGone && setMount(() => loaded.mountJsonEditor),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [plain, mount]);

  // Asked of the field as it goes: the events that tell of its caret come after what was typed.
  const plainField = useCallback((field: HTMLTextAreaElement) => {
    return () => {
      const { selectionStart, selectionEnd } = field;
      if (field === document.activeElement) caret.current = { anchor: selectionStart, head: selectionEnd };
    };
  }, []);

  const change = useEffectEvent((text: string) => state.onChange(text));
  const mountIn = useEffectEvent((element: HTMLElement, mountEditor: Mount) => {
    const { label, value: text, minLines, placeholder } = state;
    const mounted = mountEditor(element, {
      label,
      text,
      onChange: change,
      minLines,
      placeholder,
      caret: caret.current,
    });
    caret.current = undefined;
    return mounted;
  });

  useLayoutEffect(() => {
    if (!isShown) caret.current = undefined;
    if (!isShown || !mount || !host.current) return;
    const mounted = mountIn(host.current, mount);
    editor.current = mounted;
    return () => {
      editor.current = undefined;
      mounted.destroy();
    };
  }, [isShown, mount]);

  useLayoutEffect(() => editor.current?.setText(value), [value, isShown]);
  const message = problem?.message;
  const at = problem?.at;
  useLayoutEffect(() => {
    if (message === undefined) editor.current?.setProblem(undefined);
    else editor.current?.setProblem(at === undefined ? { message } : { message, at });
  }, [message, at, isShown]);

  return { host, plainField, isShown };
}
