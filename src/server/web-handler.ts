/** A server as a function: what the demo gateway, the HTTP upstream and the proxy have in common. */
export type WebHandler = (request: Request) => Promise<Response>;

/** Who asks, as far as the socket knows. */
export interface Visitor {
  remoteAddress: string;
  /** Told when the request goes to the gateway. */
  onSent?: () => void;
}

/** Like WebHandler; undefined when the path is not this handler's, so that another may answer. */
export type VisitorHandler = (request: Request, visitor: Visitor) => Promise<Response | undefined>;
