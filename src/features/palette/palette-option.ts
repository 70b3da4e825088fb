/** A command as the palette lists it. */
export interface PaletteCommand {
  id: string;
  words: string;
  group: string;
  /** Further words that find it. */
  also: string;
  keys?: readonly (readonly string[])[];
  /** What it will do beyond its words. */
  effect?: string;
  /** Why it cannot run now. */
  blockedBy?: string;
  run: () => void | Promise<void>;
}

/** A value and the letters of the lanes that have it. */
export interface NowValue {
  letters: readonly string[];
  text: string;
}

/** One line of the palette: what it does, and what that would change, before it is done. */
export interface PaletteOption {
  id: string;
  group: string;
  icon: 'set' | 'unset' | 'lane' | 'session' | 'message' | 'about' | 'model' | 'command';
  words: string;
  /** At the right: what is so now, or what it will do. */
  note?: string;
  /** "now A 0.2, B and C 0.7" with the letters drawn as tiles. */
  now?: readonly NowValue[];
  keys?: readonly (readonly string[])[];
  blockedBy?: string;
  /** Answers with the sentence that says what was done. Undefined where that is seen and heard anyway. */
  run: () => string | void | Promise<string | void>;
}
