from burnish import main

main()
