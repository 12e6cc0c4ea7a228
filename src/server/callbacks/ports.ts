import { AddressRefused } from './address.js'

// Of the ports that browsers do not send HTTP to (fetch.spec.whatwg.org, "port blocking") those whose services take a
// request for commands: mail, file transfer, terminals, name servers, chat, and stores that speak in lines.
const OTHER_PROTOCOLS = [
  ...[21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 109, 110, 111, 113, 119],
  ...[
    135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  ],
  ...[
    563, 587, 601, 636, 989, 990, 993, 995, 2049, 3659, 4045, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669,
  ],
  ...[6679, 6697, 11211],
]

/** A port at which something else than HTTP is spoken; undefined for every other, and for the one that a protocol implies. */
export const checkPort = ({ port, hostname }: URL): AddressRefused | undefined =>
  OTHER_PROTOCOLS.includes(Number(port))
    ? new AddressRefused(
        hostname,
        [hostname],
        `Nothing is sent to port ${port} of ${hostname}, where another protocol than HTTP is spoken. Choose another port.`,
      )
    : undefined
