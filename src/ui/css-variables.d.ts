import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties that components pass to their stylesheets. */
    [name: `--${string}`]: string | number | undefined;
  }
}
