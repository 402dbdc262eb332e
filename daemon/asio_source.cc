// The only place where the sources of Boost.Asio and Boost.Beast are compiled.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
