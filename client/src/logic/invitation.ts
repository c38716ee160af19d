// The link for friends. An address that leads everybody to their own machine is useless as an invitation.

const OWN = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

const isOwn = (host: string): boolean => OWN.test(host);

export interface Invitation {
  link: string;
  reachable: boolean; // from other machines
}

/** The server's link for a table, or the same page at our own address, if only that works for others. */
export function invitation(link: string, found: { origin: string; hostname: string }): Invitation {
  const advertised = new URL(link);
  if (!isOwn(advertised.hostname)) return { link, reachable: true };
  const reachable = !isOwn(found.hostname);
  return { link: reachable ? found.origin + advertised.pathname : link, reachable };
}
