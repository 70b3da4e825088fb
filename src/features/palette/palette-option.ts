/** Command listed in the palette. */
export interface PaletteCommand {
  id: string;
  label: string;
  group: string;
  /** Additional search words. */
  keywords: string;
  keys?: readonly (readonly string[])[];
  /** Effect of the command, if the label does not describe it. */
  description?: string;
  /** Reason why the command cannot run now. */
  disabledReason?: string;
  run: () => void | Promise<void>;
}

/** Value and the letters of the lanes that use it. */
export interface CurrentValue {
  letters: readonly string[];
  text: string;
}

/** Option of the palette: a label and a preview of its effect. */
export interface PaletteOption {
  id: string;
  group: string;
  icon:
    | 'set'
    | 'unset'
    | 'lane'
    | 'session'
    | 'message'
    | 'about'
    | 'model'
    | 'answer'
    | 'screen'
    | 'preset'
    | 'embedding'
    | 'trial'
    | 'command';
  label: string;
  /** Note on the right: the current state or the effect. */
  note?: string;
  /** Current values per lane, drawn as "now A 0.2, B and C 0.7" with the letters as tiles. */
  currentValues?: readonly CurrentValue[];
  keys?: readonly (readonly string[])[];
  disabledReason?: string;
  /** Runs the option and returns an announcement, or `undefined` if the effect is announced elsewhere. */
  run: () => string | void | Promise<string | void>;
}
