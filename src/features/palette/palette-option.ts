/** A command as the palette lists it. */
export interface PaletteCommand {
  id: string;
  label: string;
  group: string;
  /** Further words that find it. */
  keywords: string;
  keys?: readonly (readonly string[])[];
  /** What it will do beyond its words. */
  description?: string;
  /** Why it cannot run now. */
  disabledReason?: string;
  run: () => void | Promise<void>;
}

/** A value and the letters of the lanes that have it. */
export interface CurrentValue {
  letters: readonly string[];
  text: string;
}

/** One line of the palette: what it does, and what that would change, before it is done. */
export interface PaletteOption {
  id: string;
  group: string;
  icon: 'set' | 'unset' | 'lane' | 'session' | 'message' | 'about' | 'model' | 'command';
  label: string;
  /** At the right: what is so now, or what it will do. */
  note?: string;
  /** "now A 0.2, B and C 0.7" with the letters drawn as tiles. */
  currentValues?: readonly CurrentValue[];
  keys?: readonly (readonly string[])[];
  disabledReason?: string;
  /** Answers with the sentence that says what was done. Undefined where that is seen and heard anyway. */
  run: () => string | void | Promise<string | void>;
}
