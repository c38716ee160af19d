import { describe, expect, it } from "vitest";
import { invitation } from "../src/logic/invitation";

const found = (origin: string) => ({ origin, hostname: new URL(origin).hostname });
const HERE = found("http://127.0.0.1:8000");

describe("an invitation", () => {
  it("is the server's link if that leads to it", () => {
    const link = "http://192.168.1.20:8000/t/K7RM4TXC";
    expect(invitation(link, HERE)).toEqual({ link, reachable: true });
    expect(invitation(link, found("http://elsewhere.example"))).toEqual({ link, reachable: true });
  });

  it("is where we found the table ourselves if the server knows only its own machine", () => {
    const link = "http://localhost:8000/t/K7RM4TXC";
    expect(invitation(link, found("https://tunnel.example"))).toEqual({
      link: "https://tunnel.example/t/K7RM4TXC",
      reachable: true,
    });
  });

  it.each(["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000", "http://127.0.1.1"])(
    "says that nobody else can come: %s",
    (origin) => {
      const link = `${origin}/t/K7RM4TXC`;
      expect(invitation(link, HERE)).toEqual({ link, reachable: false });
    },
  );

  it("is not fooled by names that only look like our own", () => {
    const link = "http://localhost.example.org/t/K7RM4TXC";
    expect(invitation(link, HERE).reachable).toBe(true);
  });
});
