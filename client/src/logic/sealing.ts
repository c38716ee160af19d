// The words of a personal key yield the id of its bundle on a server, and the secret that encrypts the bundle. The
// server learns neither the words nor the secret, so it can neither read anything nor link it to anybody.

const SALT = "deadwood personal key 1"; // the same for everybody: 81 random bits need no other
const ROUNDS = 200_000; // these make guessing expensive, and take a phone a fraction of a second
const KIND = new TextEncoder().encode("deadwood bundle 1");
const BLOCK = 1024; // the text is padded to whole blocks, so that its length tells little
const NONCE = 12;

export interface Derived {
  id: string;
  secret: CryptoKey;
}

/** Browsers encrypt on secure pages only: https, or this machine itself. */
export const canSeal = (): boolean => "subtle" in crypto && Boolean(crypto.subtle);

export async function derive(phrase: string): Promise<Derived> {
  const { subtle } = crypto;
  const text = new TextEncoder();
  const typed = await subtle.importKey("raw", text.encode(phrase), "PBKDF2", false, ["deriveBits"]);
  const slow = { name: "PBKDF2", hash: "SHA-256", salt: text.encode(SALT), iterations: ROUNDS };
  const root = await subtle.importKey("raw", await subtle.deriveBits(slow, typed, 256), "HKDF", false, [
    "deriveBits",
    "deriveKey",
  ]);
  const purpose = (info: string) => ({ name: "HKDF", hash: "SHA-256", salt: KIND, info: text.encode(info) });
  return {
    id: hex(new Uint8Array(await subtle.deriveBits(purpose("id"), root, 256))),
    secret: await subtle.deriveKey(purpose("seal"), root, { name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]),
  };
}

/** How many bytes of text can be sealed in `characters` characters of Base64. */
export const roomIn = (characters: number): number => {
  const room = Math.floor(characters / 4) * 3 - NONCE - 16; // the last 16 prove that nobody changed it
  return room - (room % BLOCK);
};

export async function seal(secret: CryptoKey, text: string): Promise<string> {
  const plain = new TextEncoder().encode(text);
  const filled = new Uint8Array(Math.ceil(plain.length / BLOCK) * BLOCK).fill(32); // JSON may end in spaces
  filled.set(plain);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData: KIND }, secret, filled);
  return toBase64(new Uint8Array([...nonce, ...new Uint8Array(sealed)]));
}

/** The text; null if it was sealed with another secret, or changed since. */
export async function unseal(secret: CryptoKey, sealed: string): Promise<string | null> {
  try {
    const all = fromBase64(sealed);
    const how = { name: "AES-GCM", iv: all.slice(0, NONCE), additionalData: KIND };
    return new TextDecoder().decode(await crypto.subtle.decrypt(how, secret, all.slice(NONCE)));
  } catch {
    return null;
  }
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
